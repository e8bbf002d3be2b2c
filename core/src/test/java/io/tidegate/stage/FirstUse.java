package io.tidegate.stage;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A program that makes parts, prints that it has, and then uses each for the first time. */
final class FirstUse {
    static final String MADE = "all are made";

    private FirstUse() {}

    public static void main(String[] none) {
        List<CircuitBreaker> breakers = List.of(
                breaker().build(),
                breaker().slidingWindow(1).build(),
                breaker().slidingWindow(Duration.ofHours(1)).build());
        RemoteBulkheadClient client = RemoteBulkheadClient.of(
                RemoteBulkhead.builder(1).policy(BackpressurePolicy.queue(1, 1)).build());
        RemoteCapability capability = client.takeCapability();
        AsyncBulkhead bulkhead = AsyncBulkhead.of(1);

        System.out.println(MADE);
        breakers.forEach(FirstUse::use);
        use(client, capability);
        use(bulkhead);
    }

    private static CircuitBreaker.Builder breaker() {
        return CircuitBreaker.builder("a")
                .readyToTrip(counts -> true)
                .timeout(Duration.ofNanos(1))
                .onTransition(transition -> {});
    }

    private static void use(CircuitBreaker breaker) {
        breaker.onFailure(breaker.tryAcquire(), new IllegalStateException());
        long probe = breaker.tryAcquire();
        breaker.executeAsync(CompletableFuture::new);
        breaker.onSuccess(probe);
        breaker.forceOpen();
        breaker.executeAsync(CompletableFuture::new);
        breaker.reset();
        breaker.executeAsync(CompletableFuture::new).toCompletableFuture().cancel(false);
        breaker.metrics();
    }

    private static void use(RemoteBulkheadClient client, RemoteCapability capability) {
        CompletableFuture<String> operation = new CompletableFuture<>();
        client.submit(capability, "runs", () -> operation);
        CompletableFuture<String> waits =
                client.submit(capability, "waits", () -> operation).toCompletableFuture();
        client.submit(capability, "is refused", () -> operation);
        waits.handle((value, error) -> error).join();
        operation.complete("done");
    }

    private static void use(AsyncBulkhead bulkhead) {
        CompletableFuture<String> operation = new CompletableFuture<>();
        bulkhead.submit(() -> operation);
        bulkhead.submit(() -> operation);
        operation.complete("done");
    }
}
