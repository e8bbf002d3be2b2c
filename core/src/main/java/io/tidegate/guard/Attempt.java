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
 * One way through layers, from just inside a retry, a hedge or the edge of the guard, up to the next retry or hedge or
 * the operation itself.
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
     * Permits that are bound to the operation (see BoundPermits) go back when the operation ends, if that is later.
     */
    private static final Object ENTERING = "ENTERING";
    private static final Object WAITING = "WAITING";
    private static final Object RUNNING = "RUNNING";
    private static final Object OVER = "OVER";

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<Attempt, Object> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Attempt.class, Object.class, "state");

    /** Makes an attempt, and is told when the attempt has ended by itself. */
    interface Parent<T> {
        void ended(Attempt<T> attempt, @Nullable T value, @Nullable Throwable error);
    }

    /** Makes attempts inside another one. */
    interface Inside {
        void start();

        /** Ends what is under way, from outside. */
        void stop(@Nullable Throwable error, Verdict verdict);

        /** Cancels the operations of stopped attempts, where they can be cancelled. */
        void cancelOperations();
    }

    private record Stop(@Nullable Throwable error, Verdict verdict, boolean byParent) {}

    final Submission<T> root;
    final Supplier<? extends CompletionStage<T>> operation;
    private final LayeredGuard guard;
    private final Parent<T> parent;
    private final int from;
    private final int to;
    private final long[] stamps;
    private final @Nullable AsyncPass @Nullable [] passes;
    private final @Nullable BoundPermits ownBound;
    private final @Nullable BoundPermits outerBound;
    private final @Nullable Deadline foreign;

    private @Nullable Deadline deadline;
    private int entered;
    private @Nullable LimitAlarm alarms;
    private @Nullable Alarm waitAlarm;
    private volatile @Nullable Inside inside;
    private volatile @Nullable OperationEnd<T> operationEnd;
    private volatile boolean ran;
    private volatile boolean cancelWanted;
    private volatile Object state = ENTERING;

    /** The outermost attempt of a submission. */
    Attempt(Submission<T> root, Supplier<? extends CompletionStage<T>> operation) {
        this(root, root, operation, 0, root.guard.hasWaits ? Deadline.ofAnyThread() : null, null, null);
    }

    /** An attempt of the retry or hedge that follows the layers of {@code outer}. */
    Attempt(Attempt<T> outer, Parent<T> parent) {
        this(outer.root, parent, outer.operation, outer.to + 1, outer.foreign, outer.deadline, outer.bound());
    }

    private Attempt(
            Submission<T> root,
            Parent<T> parent,
            Supplier<? extends CompletionStage<T>> operation,
            int from,
            @Nullable Deadline foreign,
            @Nullable Deadline deadline,
            @Nullable BoundPermits outerBound) {
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
        this.ownBound = guard.binds(from, to) ? new BoundPermits(guard.layers, from, stamps, passes, outerBound) : null;
        this.outerBound = outerBound;
    }

    private @Nullable BoundPermits bound() {
        return ownBound != null ? ownBound : outerBound;
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
        if (ownBound == null || ownBound.begin()) {
            goOn();
        }
    }

    private void goOn() {
        try {
            enterRest();
        } catch (Throwable failed) { // for lack of memory or stack
            if (STATE.compareAndSet(this, ENTERING, OVER)) {
                finish(null, failed, Verdict.UNJUDGED, false);
            } else {
                finishIfStopped();
                end(null, failed, Verdict.UNJUDGED, false); // unless it goes on
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
            startInside(guard.layers[to]);
        }
    }

    /** Returns whether to go on with the next layer. */
    private boolean enterNext(Layer layer) {
        if (layer instanceof Layer.Through through) {
            return enter(through.gate());
        } else if (layer instanceof Layer.Limit limit) {
            return enter(limit);
        } else if (layer instanceof Layer.LiveLimit live) {
            return enter(live.present());
        } else if (layer instanceof Layer.Line line) {
            return enterLine(line.gate());
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

    private boolean enter(Layer.Limit limit) {
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

    private boolean enterLine(WaitingGate gate) {
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
            if (state == OVER) { // perhaps before it was in line
                gate.giveUp(this);
            }
            return false;
        }
        if (STATE.compareAndSet(this, WAITING, ENTERING)) {
            return stamp < 0 ? refuse(gate.refusal(stamp)) : isIn(stamp);
        }
        if (stamp >= 0) { // ended meanwhile, and nobody else knows of this stamp
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

    @SuppressWarnings("FutureReturnValueIgnored") // what is registered fails nobody
    private boolean enterRemote(Layer.Remote layer) {
        AsyncPass pass = new AsyncPass(this);
        if (passes != null) {
            passes[entered] = pass;
        }
        if (!STATE.compareAndSet(this, ENTERING, WAITING)) {
            finishIfStopped();
            return false;
        }
        String request = guard.nextRequest();
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

    /** A remote bulkhead admits the attempt after a wait, on its client's thread. */
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
        if (layer instanceof Layer.Line line) {
            line.gate().giveUp(this);
        } else {
            pass(entered).leave(error);
        }
    }

    // Running

    private void operate() {
        BoundPermits held = bound();
        if (state == OVER || (held != null && !held.tryRetain())) {
            return; // ended meanwhile
        }
        ran = true;
        OperationEnd<T> end = new OperationEnd<>(this, held);
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

    private void startInside(Layer layer) {
        Inside made = layer instanceof Layer.Repeat repeat
                ? new RetryLoop<>(this, repeat)
                : new HedgeRace<>(this, (Layer.Race) layer);
        inside = made;
        if (state == OVER) {
            return;
        }
        made.start();
    }

    /** The operation ended. */
    void operationEnded(@Nullable T value, @Nullable Throwable error) {
        end(value, error, verdict(error), false);
    }

    /** The retry or hedge inside ended. */
    void insideEnded(@Nullable T value, @Nullable Throwable error, boolean operationRan) {
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

    /** The attempt around this one, or a limit, ends it. */
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
        Inside stopped = inside;
        if (stopped != null) {
            stopped.cancelOperations();
        }
    }

    /** Tells listeners of a refusal, unless attempts inside this one were made and have told them. */
    void tellIfRefused(@Nullable Throwable error) {
        if (error != null && inside == null) {
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
        Inside running = inside;
        if (running != null) {
            running.stop(error, verdict);
        }
        OperationEnd<T> end = operationEnd;
        if (end != null) {
            end.letGo();
        }
        boolean nothingRuns = ownBound == null || ownBound.tryDrain();
        for (int i = entered - 1; i >= 0; i--) {
            leave(i, value, error, verdict, nothingRuns);
        }
        if (ownBound != null) {
            ownBound.end(nothingRuns, entered, error);
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
        if (layer instanceof Layer.Through through) {
            if (nothingRuns || !through.gate().bindsToOperation()) {
                through.gate().leave(stamps[i], value, error, verdict);
            }
        } else if (layer instanceof Layer.Line line) {
            line.gate().leave(stamps[i], value, error, verdict);
        } else if (layer instanceof Layer.Remote) {
            AsyncPass pass = pass(i);
            if (nothingRuns) {
                pass.endOperation(error);
            }
            pass.leave(error);
        }
    }

    /** A task for later. */
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
        private final Layer.Limit limit;

        LimitAlarm(Attempt<?> attempt, Layer.Limit limit, @Nullable LimitAlarm next) {
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
