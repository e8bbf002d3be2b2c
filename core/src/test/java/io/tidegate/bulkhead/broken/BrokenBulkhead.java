package io.tidegate.bulkhead.broken;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.BulkheadStats;
import io.tidegate.bulkhead.TerminalKind;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plain bulkhead with one of four faults that hand-written bulkheads have. In each gap between two steps the thread
 * yields, so that a tool finds the gap in seconds, on a busy machine too.
 */
public enum BrokenBulkhead implements BulkheadFactory {
    /** A caller that completes the returned future by other means than {@code cancel} keeps its permit. */
    RELEASE_ONLY_ON_CANCEL,

    /** The end becomes visible first, and the permit is given back afterwards. */
    RELEASE_AFTER_PUBLICATION,

    /** One step decides which thread releases and what the listener gets, another step what is published. */
    TWO_STEP_DECISION,

    /** The limit is read in one step and the permit taken in another. */
    CHECK_THEN_ACT;

    @Override
    public AsyncBulkhead create(int limit, BulkheadListener listener) {
        return new Plain(this, limit, listener);
    }

    @SuppressWarnings("ThreadPriorityCheck") // to be found sooner, not to put anything in order
    private static void gap() {
        Thread.yield();
    }

    private static final class Plain implements AsyncBulkhead {
        private final BrokenBulkhead fault;
        private final int limit;
        private final BulkheadListener listener;
        private final AtomicInteger inFlight = new AtomicInteger();

        Plain(BrokenBulkhead fault, int limit, BulkheadListener listener) {
            this.fault = fault;
            this.limit = limit;
            this.listener = listener;
        }

        @Override
        public <T> CompletionStage<T> submit(Supplier<? extends CompletionStage<T>> operation) {
            if (!tryTake()) {
                listener.onRejected();
                return CompletableFuture.failedFuture(new IllegalStateException("full"));
            }
            listener.onAdmitted();
            Returned<T> returned = new Returned<>(this);
            operation.get().whenComplete(returned::end);
            return returned;
        }

        private boolean tryTake() {
            for (; ; ) {
                int seen = inFlight.get();
                if (seen >= limit) {
                    return false;
                }
                if (fault == CHECK_THEN_ACT) {
                    gap();
                    inFlight.incrementAndGet();
                    return true;
                }
                if (inFlight.compareAndSet(seen, seen + 1)) {
                    return true;
                }
            }
        }

        void release(@Nullable Throwable error) {
            inFlight.decrementAndGet();
            listener.onReleased(kind(error), error);
        }

        private static TerminalKind kind(@Nullable Throwable error) {
            if (error == null) {
                return TerminalKind.SUCCESS;
            }
            return error instanceof CancellationException ? TerminalKind.CANCELLED : TerminalKind.FAILURE;
        }

        @Override
        public String name() {
            return fault.name();
        }

        @Override
        public int maxInFlight() {
            return limit;
        }

        @Override
        public int inFlight() {
            return inFlight.get();
        }

        @Override
        public int available() {
            return limit - inFlight.get();
        }

        @Override
        public BulkheadStats stats() {
            throw new UnsupportedOperationException("not needed to show the fault");
        }
    }

    private static final class Returned<T> extends CompletableFuture<T> {
        private final Plain bulkhead;
        private final AtomicBoolean settled = new AtomicBoolean();

        Returned(Plain bulkhead) {
            this.bulkhead = bulkhead;
        }

        boolean end(@Nullable T value, @Nullable Throwable error) {
            boolean won = settled.compareAndSet(false, true);
            switch (bulkhead.fault) {
                case TWO_STEP_DECISION -> {
                    if (won) {
                        bulkhead.release(error);
                        gap();
                    }
                    return publish(value, error);
                }
                case RELEASE_AFTER_PUBLICATION -> {
                    if (won) {
                        publish(value, error);
                        gap();
                        bulkhead.release(error);
                    }
                    return won;
                }
                default -> {
                    if (won) {
                        bulkhead.release(error);
                        publish(value, error);
                    }
                    return won;
                }
            }
        }

        private boolean publish(@Nullable T value, @Nullable Throwable error) {
            return error == null ? super.complete(value) : super.completeExceptionally(error);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return end(null, new CancellationException()) || isCancelled();
        }

        @Override
        public boolean complete(@Nullable T value) {
            return bulkhead.fault == RELEASE_ONLY_ON_CANCEL ? publish(value, null) : end(value, null);
        }

        @Override
        public boolean completeExceptionally(Throwable error) {
            return bulkhead.fault == RELEASE_ONLY_ON_CANCEL ? publish(null, error) : end(null, error);
        }
    }
}
