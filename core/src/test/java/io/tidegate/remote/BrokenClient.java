package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import io.tidegate.stage.PendingNotifications;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A plain client of the library's bulkhead, with one of two faults that hand-written clients have. */
enum BrokenClient implements ClientRace.Factory {
    /** A request that is ended leaves the queue, but does not give back the permit that it may have got already. */
    PERMIT_LOST_BETWEEN_TURN_AND_START,

    /** A request that is ended stays in the queue, and its turn is lost. */
    TURN_OF_ABANDONED;

    @Override
    public ClientRace.Submitter create(RemoteBulkhead bulkhead) {
        LockedBulkhead machine = (LockedBulkhead) bulkhead;
        return (requestId, operation) -> {
            Request request = new Request(this, machine, requestId, operation);
            return machine.submit(true, requestId, 0, request).toCompletableFuture();
        };
    }

    private static final class Request extends CompletableFuture<String> implements IncomingRequest<String> {
        private final BrokenClient fault;
        private final LockedBulkhead machine;
        private final String requestId;
        private final Supplier<CompletionStage<String>> operation;
        private final AtomicBoolean decided = new AtomicBoolean();
        private volatile @Nullable BulkheadPermit kept;

        Request(
                BrokenClient fault,
                LockedBulkhead machine,
                String requestId,
                Supplier<CompletionStage<String>> operation) {
            this.fault = fault;
            this.machine = machine;
            this.requestId = requestId;
            this.operation = operation;
        }

        @Override
        public CompletionStage<String> answered(AcquireResult result) {
            if (result instanceof AcquireResult.Granted granted) {
                keep(granted.permit());
                granted();
            }
            return this;
        }

        @Override
        public void queued() {}

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
            giveWay();
            if (decided.compareAndSet(false, true)) {
                operation.get().whenComplete((value, error) -> {
                    machine.release(requireNonNull(kept), 0);
                    complete(value);
                });
            }
            return PendingNotifications.NONE;
        }

        /** Yields inside the gap, so that the fault is found sooner, on a busy machine too. */
        @SuppressWarnings("ThreadPriorityCheck") // puts nothing in order
        private static void giveWay() {
            Thread.yield();
        }

        @Override
        public PendingNotifications expired() {
            completeExceptionally(new IllegalStateException("expired"));
            return PendingNotifications.NONE;
        }

        @Override
        public void cancelled() {}

        @Override
        public void refused(BulkheadError error) {
            completeExceptionally(new IllegalStateException(error.code()));
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            if (!decided.compareAndSet(false, true)) {
                return false;
            }
            if (fault == PERMIT_LOST_BETWEEN_TURN_AND_START) {
                machine.cancelQueued(requestId, 0);
            }
            return super.cancel(mayInterruptIfRunning);
        }
    }
}
