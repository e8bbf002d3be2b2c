package io.tidegate.remote;

import io.tidegate.measure.FlightEvents;
import io.tidegate.measure.Holders;
import io.tidegate.stage.DecidedFuture;
import io.tidegate.stage.EndHook;
import io.tidegate.stage.Hook;
import io.tidegate.stage.OperationHook;
import io.tidegate.stage.PendingNotifications;
import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The returned future of a request, from its wait in the queue to its end. */
final class RemoteSubmission<T> extends DecidedFuture<T> implements IncomingRequest<T> {
    /*
     * `hold` is what this request holds:
     *
     *   QUEUED      a position in the queue, or a permit that the bulkhead has given and that the request does not
     *               know of
     *   a permit    the operation was or is being started
     *   RETURNING   decided; the winner is about to give back what was held
     *   null        nothing
     *
     * Each way out of QUEUED is one compare-and-set with one winner:
     *
     *   to the permit    the operation starts
     *   to RETURNING     a thread ended the future. The bulkhead takes back the position or the permit: under its lock,
     *                    where waiters are admitted, it knows which of them the request has. So the permit is back
     *                    before the end is visible. The notification of the permit may still be under way; it finds
     *                    the future decided and does nothing.
     *   to null          the wait is over without a permit: nothing is held any more
     */
    private static final Object QUEUED = "QUEUED";
    private static final Object RETURNING = "RETURNING";

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<RemoteSubmission, @Nullable Object> HOLD =
            AtomicReferenceFieldUpdater.newUpdater(RemoteSubmission.class, Object.class, "hold");

    private final QueueingClient client;
    private final String requestId;
    private final long submittedMs;
    private @Nullable Supplier<? extends CompletionStage<T>> operation;
    private @Nullable BulkheadPermit kept; // guarded by the bulkhead's lock until `granted` is called

    /**
     * The thread that starts the operation. It has checked its stack for room, and may find the operation over at once.
     */
    private @Nullable Thread starter;

    private PendingNotifications toTell = PendingNotifications.NONE; // for the thread that ends this, after the end

    private long waitStamp;
    private FlightEvents.@Nullable WaitEvent wait;

    /**
     * The stamp of the permit's holder, from when this request knows of the permit until the operation starts. The
     * thread that writes it reads `hold` afterwards, and the thread that ends this request writes `hold` first and
     * reads this afterwards: so one of them removes the record of the holder.
     */
    private volatile long grantStamp = QueueingClient.NOT_KEPT;

    /**
     * The stamp of the operation. It is written before the permit is in `hold`, so that the thread that takes the
     * permit from there sees the stamp, too.
     */
    private long runStamp;

    private final Holders.@Nullable Caller caller;

    private volatile @Nullable Object hold = QUEUED;

    RemoteSubmission(
            QueueingClient client,
            String requestId,
            long submittedMs,
            Supplier<? extends CompletionStage<T>> operation,
            Holders.@Nullable Caller caller) {
        this.client = client;
        this.caller = caller;
        this.requestId = requestId;
        this.submittedMs = submittedMs;
        this.operation = operation;
    }

    String requestId() {
        return requestId;
    }

    @Override
    public CompletionStage<T> answered(AcquireResult result) {
        if (result instanceof AcquireResult.Granted granted) {
            return startAtOnce(granted.permit());
        }
        BulkheadError error = ((AcquireResult.Refused) result).error();
        if (error instanceof BulkheadError.Queued) {
            try {
                client.ensureLook();
            } catch (Throwable noLook) {
                client.notifier.tell(failStart(noLook)); // otherwise the request might wait for ever
            }
            return this;
        }
        return CompletableFuture.failedFuture(client.refusal(error));
    }

    // Waiting

    @Override
    public void queued() {
        try {
            waitStamp = client.waits();
            wait = client.recordedWait();
        } catch (Throwable unmeasured) {
            // the request waits anyway
        }
    }

    private void stopWaiting() {
        client.waited(waitStamp, wait);
        wait = null;
    }

    @Override
    public void keep(BulkheadPermit permit) {
        kept = permit;
    }

    @Override
    public @Nullable BulkheadPermit kept() {
        return kept;
    }

    @Override
    public PendingNotifications granted() {
        StackRoom.requireTwice(); // if it throws, another thread notifies this request again
        BulkheadPermit permit = kept;
        recordHolderSinceGrant();
        try {
            client.execute(() -> start(permit));
            return PendingNotifications.NONE;
        } catch (Throwable refused) {
            return failStart(refused);
        }
    }

    private void recordHolderSinceGrant() {
        long stamp = grantStamp == QueueingClient.NOT_KEPT ? client.granted(caller) : QueueingClient.NOT_KEPT;
        if (stamp != QueueingClient.NOT_KEPT) {
            grantStamp = stamp;
            if (!QUEUED.equals(hold)) {
                client.neverRan(stamp);
            }
        }
    }

    /*
     * This does not end the future in the usual way, which would hand over the next request from inside this handover.
     * The end comes after the handovers, because its dependents may block.
     */
    private PendingNotifications failStart(Throwable refused) {
        PendingNotifications told = PendingNotifications.ofEnd(
                () -> publishDecided(null, refused)); // made first, because the next step cannot be taken back
        if (!HOLD.compareAndSet(this, QUEUED, RETURNING)) {
            return PendingNotifications.NONE;
        }
        told.add(client.abandon(this));
        client.neverRan(grantStamp);
        stopWaiting();
        operation = null;
        hold = null;
        return told;
    }

    @Override
    public PendingNotifications expired() {
        return client.end(() -> endWait(client.refusal(new BulkheadError.QueueTimeout(requestId))));
    }

    @Override
    public void cancelled() {
        endWait(new CancellationException());
    }

    @Override
    public void refused(BulkheadError error) {
        endWait(client.refusal(error));
    }

    private void endWait(Throwable error) {
        if (HOLD.compareAndSet(this, QUEUED, null)) {
            operation = null;
            stopWaiting();
            publishDecided(null, error);
        }
    }

    // Running

    /**
     * Runs the operation of a request that need not wait. Returns the operation's stage if it has already succeeded,
     * otherwise this future.
     */
    private CompletionStage<T> startAtOnce(BulkheadPermit permit) {
        runStamp = client.runs(caller, QueueingClient.NOT_KEPT);
        HOLD.lazySet(this, permit); // no other thread has seen this future yet
        starter = Thread.currentThread();
        CompletionStage<T> stage = run(permit);
        if (stage != null && Stages.hasSucceeded(stage) && isReleased(permit)) {
            return stage;
        }
        followOperation(stage, permit);
        return this;
    }

    private void followOperation(@Nullable CompletionStage<T> stage, BulkheadPermit permit) {
        if (stage != null) {
            Hook<T> hook = null;
            try {
                hook = hook(permit);
            } catch (Throwable outOfMemory) { // without a hook the operation's end goes unnoticed
                giveUp(permit, outOfMemory);
            }
            if (hook != null) {
                follow(stage, hook);
            }
        }
        starter = null;
    }

    /* Ends the request although its operation may still run: the operation counts as over. */
    private void giveUp(BulkheadPermit permit, Throwable why) {
        PendingNotifications told = PendingNotifications.NONE;
        try {
            if (client.bindsToOperation()) {
                told = client.release(permit, submittedMs, runStamp, why);
                client.notifier.handOver(told);
            }
        } finally {
            end(null, why);
            client.notifier.tellEnds(told);
        }
    }

    /*
     * Returns whether the permit is back. If not, at the end of the stack, the caller follows the operation like one
     * that takes longer, and its end gives the permit back.
     */
    private boolean isReleased(BulkheadPermit permit) {
        try {
            PendingNotifications told = client.release(permit, submittedMs, runStamp, null);
            client.notifier.tell(told);
            return true;
        } catch (Throwable outOfStack) {
            return false;
        }
    }

    /** Runs the operation, unless this future has ended. */
    private void start(@Nullable BulkheadPermit permit) {
        StackRoom.require();
        if (permit == null || !QUEUED.equals(hold)) {
            return;
        }
        runStamp = client.runs(caller, grantStamp);
        if (HOLD.compareAndSet(this, QUEUED, permit)) {
            stopWaiting();
            starter = Thread.currentThread();
            followOperation(run(permit), permit);
        } else {
            client.neverRan(runStamp);
        }
    }

    /* Returns the operation's stage, or null if there is none; then this future has ended. */
    private @Nullable CompletionStage<T> run(BulkheadPermit permit) {
        try {
            client.requireLease(permit);
            return supply();
        } catch (Throwable thrown) {
            giveUp(permit, thrown);
            Stages.keepInterrupt(thrown);
            return null;
        }
    }

    private Hook<T> hook(BulkheadPermit permit) {
        return client.bindsToOperation() ? new OperationPermit<>(this, permit) : new EndHook<>(this);
    }

    private CompletionStage<T> supply() {
        Supplier<? extends CompletionStage<T>> supplier = operation;
        operation = null;
        CompletionStage<T> stage = supplier == null ? null : supplier.get();
        if (stage == null) {
            throw new NullPointerException("operation: supplied null (expected: a CompletionStage)");
        }
        return stage;
    }

    @Override
    protected boolean settle(@Nullable Throwable error) {
        if (!Thread.currentThread().equals(starter)) {
            StackRoom.requireTwice();
        }
        for (Object held = hold; held != null && !RETURNING.equals(held); held = hold) {
            if (HOLD.compareAndSet(this, held, RETURNING)) {
                giveBack(held, error);
                return true;
            }
        }
        return false;
    }

    private void giveBack(Object held, @Nullable Throwable error) {
        try {
            toTell = returned(held, error);
        } catch (Throwable outOfStack) {
            hold = held; // undecided again, otherwise nothing could end this future
            throw outOfStack;
        }
        try {
            HOLD.lazySet(this, null);
            client.notifier.handOver(toTell);
        } catch (Throwable outOfStack) {
            hold = null; // the end must become visible anyway
        }
        operation = null;
    }

    private PendingNotifications returned(Object held, @Nullable Throwable error) {
        if (!(held instanceof BulkheadPermit permit)) {
            PendingNotifications told = client.abandon(this);
            client.neverRan(grantStamp);
            stopWaiting();
            return told;
        }
        return client.bindsToOperation()
                ? PendingNotifications.NONE
                : client.release(permit, submittedMs, runStamp, error);
    }

    @Override
    protected void afterEnd() {
        PendingNotifications told = toTell;
        toTell = PendingNotifications.NONE;
        client.notifier.tellEnds(told);
    }

    @Override
    protected boolean isReturned() {
        return hold == null;
    }

    /** Holds the permit, if it is bound to the operation and not to the returned future. */
    private static final class OperationPermit<T> extends OperationHook<T> {
        private final QueueingClient client;
        private final BulkheadPermit permit;
        private final long submittedMs;
        private final long stamp;
        private PendingNotifications told = PendingNotifications.NONE;

        OperationPermit(RemoteSubmission<T> returned, BulkheadPermit permit) {
            super(returned);
            this.client = returned.client;
            this.permit = permit;
            this.submittedMs = returned.submittedMs;
            this.stamp = returned.runStamp;
        }

        @Override
        protected void release(@Nullable T value, @Nullable Throwable error) {
            told = client.release(permit, submittedMs, stamp, error);
            client.notifier.handOver(told);
        }

        @Override
        protected void afterEnd() {
            client.notifier.tellEnds(told);
        }
    }
}
