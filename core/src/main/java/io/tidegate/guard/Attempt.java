package io.tidegate.guard;

import io.tidegate.gate.Gate;
import io.tidegate.gate.Gate.Verdict;
import io.tidegate.gate.WaitingGate;
import io.tidegate.remote.BulkheadError;
import io.tidegate.remote.BulkheadException;
import io.tidegate.stage.Stages;
import io.tidegate.time.Timekeeper;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One pass through the layers between two points: from a retry, a hedge or the edge of the guard inwards, up to the
 * next retry or hedge, or up to the operation.
 */
@SuppressWarnings("ReferenceEquality") // states are compared by identity
final class Attempt<T> implements WaitingGate.Waiter {
    /*
     * `state` is
     *
     *   ENTERING    a thread enters layer after layer
     *   WAITING     the attempt waits at a layer; the thread that admits it enters the next ones
     *   RUNNING     all layers are entered, and the operation, or the retry or hedge inside, is under way
     *   a Stop      the attempt was ended while a thread was entering: that thread leaves what it has entered
     *   OVER        ended
     *
     * One compare-and-set to OVER, or to a Stop, decides how the attempt ends. The winner leaves the layers, innermost
     * first. The entering thread writes `entered` and `stamps` before it gives up ENTERING. A user's supplier runs in
     * RUNNING, so that a limit can end the attempt while the supplier blocks.
     *
     * Permits that are bound to the operation (see OperationPermits) go back when the operation ends, if that is later.
     */
    private static final Object ENTERING = "ENTERING";
    private static final Object WAITING = "WAITING";
    private static final Object RUNNING = "RUNNING";
    private static final Object OVER = "OVER";

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<Attempt, Object> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Attempt.class, Object.class, "state");

    /** Makes an attempt, and is called when the attempt has ended by itself. */
    interface Parent<T> {
        void ended(Attempt<T> attempt, @Nullable T value, @Nullable Throwable error);
    }

    /** A retry or hedge inside an attempt, which makes further attempts. */
    interface InnerAttempts {
        void start();

        /** Ends the attempts under way, from outside. */
        void stop(@Nullable Throwable error, Verdict verdict);

        /** Cancels the operations of stopped attempts, where they can be cancelled. */
        void cancelOperations();
    }

    private record Stop(@Nullable Throwable error, Verdict verdict, boolean byParent) {}

    final GuardSubmission<T> root;
    final Supplier<? extends CompletionStage<T>> operation;
    private final LayeredGuard guard;
    private final Parent<T> parent;
    private final int from;
    private final int to;
    private final long[] stamps;
    private final @Nullable AsyncPass @Nullable [] passes;
    private final @Nullable OperationPermits ownPermits;
    private final @Nullable OperationPermits outerPermits;
    private final @Nullable Deadline foreign;

    private @Nullable Deadline deadline;
    private int entered;
    private @Nullable LimitAlarm alarms;
    private @Nullable Alarm waitAlarm;
    private volatile @Nullable InnerAttempts inner;
    private volatile @Nullable OperationEnd<T> operationEnd;
    private volatile boolean ran;
    private volatile boolean cancelWanted;
    private volatile Object state = ENTERING;

    /** The outermost attempt of a submission. */
    Attempt(GuardSubmission<T> root, Supplier<? extends CompletionStage<T>> operation) {
        this(root, root, operation, 0, root.guard.hasWaits ? Deadline.ofAnyThread() : null, null, null);
    }

    /** An attempt of the retry or hedge that follows the layers of {@code outer}. */
    Attempt(Attempt<T> outer, Parent<T> parent) {
        this(
                outer.root,
                parent,
                outer.operation,
                outer.to + 1,
                outer.foreign,
                outer.deadline,
                outer.operationPermits());
    }

    private Attempt(
            GuardSubmission<T> root,
            Parent<T> parent,
            Supplier<? extends CompletionStage<T>> operation,
            int from,
            @Nullable Deadline foreign,
            @Nullable Deadline deadline,
            @Nullable OperationPermits outerPermits) {
        this.root = root;
        this.guard = root.guard;
        this.parent = parent;
        this.operation = operation;
        this.from = from;
        this.to = guard.end(from);
        this.foreign = foreign;
        this.deadline = deadline == null ? foreign : deadline;
        this.stamps = new long[to - from];
        this.passes = guard.hasRemote ? new @Nullable AsyncPass[to - from] : null;
        this.ownPermits =
                guard.binds(from, to) ? new OperationPermits(guard.layers, from, stamps, passes, outerPermits) : null;
        this.outerPermits = outerPermits;
    }

    private @Nullable OperationPermits operationPermits() {
        return ownPermits != null ? ownPermits : outerPermits;
    }

    @Nullable
    Deadline deadline() {
        return deadline;
    }

    /** Whether the operation was started. */
    boolean ran() {
        return ran;
    }

    // Entering

    void start() {
        if (ownPermits == null || ownPermits.begin()) {
            goOn();
        }
    }

    private void goOn() {
        try {
            enterRest();
        } catch (Throwable failed) { // memory or stack has run out
            if (STATE.compareAndSet(this, ENTERING, OVER)) {
                finish(null, failed, Verdict.UNJUDGED, false);
            } else {
                finishIfStopped();
                end(null, failed, Verdict.UNJUDGED, false); // does nothing if the attempt has ended otherwise
            }
        }
    }

    private void enterRest() {
        while (entered < to - from) {
            if (state != ENTERING) {
                finishIfStopped();
                return;
            }
            if (!enterNext(guard.layers[from + entered])) {
                return;
            }
        }
        if (!STATE.compareAndSet(this, ENTERING, RUNNING)) {
            finishIfStopped();
        } else if (to == guard.layers.length) {
            operate();
        } else {
            startInner(guard.layers[to]);
        }
    }

    /** Returns whether to go on with the next layer. */
    private boolean enterNext(Layer layer) {
        if (layer instanceof Layer.Immediate immediate) {
            return enter(immediate.gate());
        } else if (layer instanceof Layer.TimeLimit limit) {
            return enter(limit);
        } else if (layer instanceof Layer.LiveTimeLimit live) {
            return enter(live.present());
        } else if (layer instanceof Layer.Waiting waiting) {
            return enterWaiting(waiting.gate());
        } else {
            return enterRemote((Layer.Remote) layer);
        }
    }

    private boolean enter(Gate gate) {
        long stamp;
        try {
            stamp = gate.enter();
        } catch (Throwable thrown) {
            return refuse(thrown);
        }
        return stamp < 0 ? refuse(gate.refusal(stamp)) : isIn(stamp);
    }

    private boolean enter(Layer.TimeLimit limit) {
        LimitAlarm alarm = new LimitAlarm(this, limit, alarms);
        alarms = alarm;
        deadline = new Deadline.Plain(Deadline.earlier(guard.time.nanos() + limit.nanos(), deadline), null);
        entered++;
        guard.time.set(alarm, limit.nanos());
        return true;
    }

    private boolean isIn(long stamp) {
        stamps[entered] = stamp;
        entered++;
        return true;
    }

    private boolean refuse(Throwable refusal) {
        if (STATE.compareAndSet(this, ENTERING, OVER)) {
            finish(null, refusal, Verdict.UNJUDGED, false);
        } else {
            finishIfStopped();
        }
        return false;
    }

    // Waiting for a rate

    private boolean enterWaiting(WaitingGate gate) {
        if (!STATE.compareAndSet(this, ENTERING, WAITING)) {
            finishIfStopped();
            return false;
        }
        long stamp;
        try {
            stamp = gate.enter(this, Deadline.left(deadline, guard.time.nanos()));
        } catch (Throwable thrown) {
            return STATE.compareAndSet(this, WAITING, ENTERING) && refuse(thrown);
        }
        if (stamp == WaitingGate.WAITS) {
            if (state == OVER) { // perhaps since before the attempt was in line
                gate.giveUp(this);
            }
            return false;
        }
        if (STATE.compareAndSet(this, WAITING, ENTERING)) {
            return stamp < 0 ? refuse(gate.refusal(stamp)) : isIn(stamp);
        }
        if (stamp >= 0) { // ended meanwhile; no other code has this stamp
            gate.leave(stamp, null, null, Verdict.UNJUDGED);
        }
        return false;
    }

    @Override
    public boolean admit() {
        return STATE.compareAndSet(this, WAITING, ENTERING);
    }

    @Override
    public void run() {
        isIn(0);
        goOn();
    }

    // Waiting for a remote bulkhead

    @SuppressWarnings("FutureReturnValueIgnored") // the registered action does not throw
    private boolean enterRemote(Layer.Remote layer) {
        AsyncPass pass = new AsyncPass(this);
        if (passes != null) {
            passes[entered] = pass;
        }
        if (!STATE.compareAndSet(this, ENTERING, WAITING)) {
            finishIfStopped();
            return false;
        }
        String request = guard.nextRequestId();
        CompletableFuture<@Nullable Object> admission;
        try {
            admission = layer.client()
                    .submit(layer.capability(), request, () -> pass)
                    .toCompletableFuture();
        } catch (Throwable thrown) {
            return STATE.compareAndSet(this, WAITING, ENTERING) && refuse(thrown);
        }
        if (pass.keep(admission)) {
            if (STATE.compareAndSet(this, WAITING, ENTERING)) {
                return isIn(0);
            }
            pass.giveBack();
            return false;
        }
        if (foreign != null) {
            Alarm alarm = new Alarm(
                    () -> endWait(new BulkheadException(new BulkheadError.QueueTimeout(request), layer.name())));
            waitAlarm = alarm;
            guard.time.set(alarm, Deadline.left(foreign, guard.time.nanos()));
            if (state == OVER) {
                guard.time.callOff(alarm);
            }
        }
        admission.whenComplete((value, error) -> {
            if (error != null) {
                endWait(error);
            }
        });
        return false;
    }

    private AsyncPass pass(int i) {
        AsyncPass pass = passes == null ? null : passes[i];
        if (pass == null) {
            throw new IllegalStateException("pass: none at layer " + i + " (expected: that of a remote bulkhead)");
        }
        return pass;
    }

    /** Called on the client's thread when a remote bulkhead has admitted the attempt after a wait. */
    void admitted(AsyncPass pass) {
        if (STATE.compareAndSet(this, WAITING, ENTERING)) {
            callOffWaitAlarm();
            isIn(0);
            goOn();
        } else {
            pass.giveBack();
        }
    }

    private void endWait(Throwable error) {
        if (STATE.compareAndSet(this, WAITING, OVER)) {
            giveUpWait(error);
            finish(null, error, Verdict.UNJUDGED, false);
        }
    }

    private void giveUpWait(@Nullable Throwable error) {
        Layer layer = guard.layers[from + entered];
        if (layer instanceof Layer.Waiting waiting) {
            waiting.gate().giveUp(this);
        } else {
            pass(entered).leave(error);
        }
    }

    // Running

    private void operate() {
        OperationPermits permits = operationPermits();
        if (state == OVER || (permits != null && !permits.tryRetain())) {
            return; // ended meanwhile
        }
        ran = true;
        OperationEnd<T> end = new OperationEnd<>(this, permits);
        operationEnd = end;
        Deadline mine = deadline;
        Deadline before = mine == null ? null : Deadline.OF_THREAD.get();
        CompletionStage<T> stage;
        try {
            if (mine != null) {
                Deadline.OF_THREAD.set(before == null ? mine : new Deadline.Plain(mine.at(), before));
            }
            stage = operation.get();
        } catch (Throwable thrown) {
            end.accept(null, thrown);
            Stages.keepInterrupt(thrown);
            return;
        } finally {
            if (mine != null) {
                Deadline.OF_THREAD.set(before);
            }
        }
        if (stage == null) {
            end.accept(null, new NullPointerException("operation: supplied null (expected: a CompletionStage)"));
            return;
        }
        end.follow(stage, guard.hasHedge);
        if (state == OVER) {
            end.letGo();
        }
        if (cancelWanted) {
            end.cancelOperation();
        }
    }

    private void startInner(Layer layer) {
        InnerAttempts made = layer instanceof Layer.Retrying retrying
                ? new RetryLoop<>(this, retrying)
                : new HedgeRace<>(this, (Layer.Hedging) layer);
        inner = made;
        if (state == OVER) {
            return;
        }
        made.start();
    }

    /** Called when the operation has ended. */
    void operationEnded(@Nullable T value, @Nullable Throwable error) {
        end(value, error, verdict(error), false);
    }

    /** Called when the retry or hedge inside has ended. */
    void innerEnded(@Nullable T value, @Nullable Throwable error, boolean operationRan) {
        ran = operationRan;
        end(value, error, verdict(error), false);
    }

    private Verdict verdict(@Nullable Throwable error) {
        if (error instanceof TimeLimitExceededException limited && limited.isFor(root)) {
            return Verdict.FAILED;
        }
        boolean silent = !ran || Stages.bare(error) instanceof CancellationException;
        return silent ? Verdict.UNJUDGED : Verdict.JUDGED;
    }

    // Ending

    /** Ends this attempt from outside: called by the retry, hedge or future around it. */
    void stop(@Nullable Throwable error, Verdict verdict) {
        end(null, error, verdict, true);
    }

    /** Cancels the operation of a stopped attempt, where it can be cancelled. */
    void cancelOperations() {
        cancelWanted = true;
        OperationEnd<T> end = operationEnd;
        if (end != null) {
            end.cancelOperation();
        }
        InnerAttempts stopped = inner;
        if (stopped != null) {
            stopped.cancelOperations();
        }
    }

    /** Notifies listeners of a refusal, unless attempts inside this one were made, which have done so. */
    void tellIfRefused(@Nullable Throwable error) {
        if (error != null && inner == null) {
            guard.counts.refused(error);
        }
    }

    private void end(@Nullable T value, @Nullable Throwable error, Verdict verdict, boolean byParent) {
        for (; ; ) {
            Object seen = state;
            if (seen == ENTERING) {
                if (STATE.compareAndSet(this, ENTERING, new Stop(error, verdict, byParent))) {
                    return;
                }
            } else if (seen == RUNNING || seen == WAITING) {
                if (STATE.compareAndSet(this, seen, OVER)) {
                    if (seen == WAITING) {
                        giveUpWait(error);
                    }
                    finish(value, error, verdict, byParent);
                    return;
                }
            } else {
                return;
            }
        }
    }

    private void finishIfStopped() {
        if (state instanceof Stop stop && STATE.compareAndSet(this, stop, OVER)) {
            finish(null, stop.error(), stop.verdict(), stop.byParent());
        }
    }

    private void finish(@Nullable T value, @Nullable Throwable error, Verdict verdict, boolean byParent) {
        callOffAlarms();
        InnerAttempts running = inner;
        if (running != null) {
            running.stop(error, verdict);
        }
        OperationEnd<T> end = operationEnd;
        if (end != null) {
            end.letGo();
        }
        boolean nothingRuns = ownPermits == null || ownPermits.tryDrain();
        for (int i = entered - 1; i >= 0; i--) {
            leave(i, value, error, verdict, nothingRuns);
        }
        if (ownPermits != null) {
            ownPermits.end(nothingRuns, entered, error);
        }
        if (!byParent) {
            parent.ended(this, value, error);
        }
    }

    private void callOffAlarms() {
        for (LimitAlarm alarm = alarms; alarm != null; alarm = alarm.next) {
            guard.time.callOff(alarm);
        }
        callOffWaitAlarm();
    }

    private void callOffWaitAlarm() {
        Alarm alarm = waitAlarm;
        if (alarm != null) {
            guard.time.callOff(alarm);
        }
    }

    private void leave(int i, @Nullable Object value, @Nullable Throwable error, Verdict verdict, boolean nothingRuns) {
        Layer layer = guard.layers[from + i];
        if (layer instanceof Layer.Immediate immediate) {
            if (nothingRuns || !immediate.gate().bindsToOperation()) {
                immediate.gate().leave(stamps[i], value, error, verdict);
            }
        } else if (layer instanceof Layer.Waiting waiting) {
            waiting.gate().leave(stamps[i], value, error, verdict);
        } else if (layer instanceof Layer.Remote) {
            AsyncPass pass = pass(i);
            if (nothingRuns) {
                pass.endOperation(error);
            }
            pass.leave(error);
        }
    }

    /** A task that runs at a set time. */
    static final class Alarm extends Timekeeper.Alarm {
        private final Runnable task;

        Alarm(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            task.run();
        }
    }

    /** Ends an attempt at a limit. */
    private static final class LimitAlarm extends Timekeeper.Alarm {
        final @Nullable LimitAlarm next;
        private final Attempt<?> attempt;
        private final Layer.TimeLimit limit;

        LimitAlarm(Attempt<?> attempt, Layer.TimeLimit limit, @Nullable LimitAlarm next) {
            this.attempt = attempt;
            this.limit = limit;
            this.next = next;
        }

        @Override
        public void run() {
            TimeLimitExceededException error =
                    new TimeLimitExceededException(attempt.guard.name, limit.limit(), attempt.root, null);
            attempt.end(null, error, Verdict.FAILED, false);
        }
    }
}
