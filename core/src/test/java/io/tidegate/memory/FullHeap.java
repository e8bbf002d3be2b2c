package io.tidegate.memory;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** A program whose operations leave no room for an object in the heap. It fails if that costs a permit or a result. */
final class FullHeap {
    private static final int ROUNDS = 5;
    private static final Duration OPEN = Duration.ofSeconds(60);

    @SuppressWarnings("StaticAssignmentOfThrowable") // where it was made is of no interest
    private static final IllegalStateException FAILURE = new IllegalStateException("failed");

    private static Object heap;

    private FullHeap() {}

    public static void main(String[] none) throws Exception {
        for (PermitLifetime lifetime : PermitLifetime.values()) {
            asyncBulkhead(lifetime);
            remoteBulkhead(lifetime);
        }
        for (CircuitBreaker.Builder builder : List.of(
                CircuitBreaker.builder("all"),
                CircuitBreaker.builder("last calls").slidingWindow(100),
                CircuitBreaker.builder("last hour").slidingWindow(Duration.ofHours(1)))) {
            for (int round = 0; round < ROUNDS; round++) {
                trip(builder);
                close(builder);
            }
        }
    }

    private static void asyncBulkhead(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead =
                AsyncBulkhead.builder(1).permitLifetime(lifetime).build();
        for (int round = 0; round < ROUNDS; round++) {
            CompletableFuture<String> operation = new CompletableFuture<>();
            try {
                bulkhead.submit(() -> fillAndReturn(operation));
            } catch (OutOfMemoryError full) {
                // there may have been no room for more
            }
            heap = null;
            operation.complete("done");
            check(bulkhead.inFlight() == 0, lifetime, round, bulkhead);
        }
    }

    private static void remoteBulkhead(PermitLifetime lifetime) {
        RemoteBulkhead bulkhead = RemoteBulkhead.builder(1).build();
        RemoteBulkheadClient client =
                RemoteBulkheadClient.builder(bulkhead).permitLifetime(lifetime).build();
        RemoteCapability capability = client.takeCapability();
        for (int round = 0; round < ROUNDS; round++) {
            CompletableFuture<String> operation = new CompletableFuture<>();
            try {
                client.submit(capability, "fills", () -> fillAndReturn(operation));
            } catch (OutOfMemoryError full) {
                // as above
            }
            heap = null;
            operation.complete("done");
            check(bulkhead.inFlight() == 0, lifetime, round, bulkhead);
        }
    }

    /** Opens a breaker when there is no memory for the open state. */
    private static void trip(CircuitBreaker.Builder builder) throws Exception {
        CircuitBreaker breaker = builder.readyToTrip(counts -> true).build();
        Exception thrown = null;
        try {
            breaker.execute(() -> {
                fill();
                throw FAILURE;
            });
        } catch (IllegalStateException failed) {
            thrown = failed;
        }
        heap = null;
        check(thrown == FAILURE, "execute", 0, breaker);
        if (breaker.state() == State.CLOSED) {
            breaker.onFailure(breaker.tryAcquire(), FAILURE);
        }
        check(breaker.state() == State.OPEN, "trip", 0, breaker);
    }

    /** Closes a breaker when there is no memory for the window of the closed state. */
    private static void close(CircuitBreaker.Builder builder) throws Exception {
        AtomicLong now = new AtomicLong();
        CircuitBreaker breaker = builder.readyToTrip(counts -> true)
                .ticker(now::get)
                .timeout(OPEN)
                .build();
        breaker.onFailure(breaker.tryAcquire(), FAILURE);
        now.addAndGet(OPEN.toNanos());
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletionStage<String> probe = breaker.executeAsync(() -> operation);
        fill();
        try {
            operation.complete("done");
        } finally {
            heap = null;
        }
        check("done".equals(probe.toCompletableFuture().getNow(null)), "executeAsync", 0, breaker);
        if (breaker.state() == State.HALF_OPEN) {
            check("next".equals(breaker.execute(() -> "next")), "execute", 0, breaker);
        }
        check(breaker.state() == State.CLOSED, "close", 0, breaker);
    }

    private static void check(boolean holds, Object what, int round, Object part) {
        if (!holds) {
            throw new IllegalStateException(what + ", round " + round + ": " + part);
        }
    }

    private static CompletableFuture<String> fillAndReturn(CompletableFuture<String> operation) {
        fill();
        return operation;
    }

    private static void fill() {
        try {
            for (; ; ) {
                heap = new Object[] {heap};
            }
        } catch (OutOfMemoryError full) {
            // the expected end of the loop
        }
    }
}
