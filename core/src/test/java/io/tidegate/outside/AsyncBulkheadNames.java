package io.tidegate.outside;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.BulkheadRejectedException;
import io.tidegate.bulkhead.BulkheadStats;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.bulkhead.TerminalKind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A program that uses the async bulkhead. */
abstract class AsyncBulkheadNames {
    static final class Deaf implements BulkheadListener {}

    static final class Hearing implements BulkheadListener {
        @Override
        public void onAdmitted() {}

        @Override
        public void onRejected() {}

        @Override
        public void onReleased(TerminalKind kind, @Nullable Throwable errorOrNull) {}
    }

    List<AsyncBulkhead> make() {
        AsyncBulkhead.Builder builder = AsyncBulkhead.builder(4);
        builder = builder.name("a").listener(new Deaf()).listener(new Hearing());
        builder = builder.permitLifetime(PermitLifetime.RETURNED_STAGE).permitLifetime(PermitLifetime.OPERATION);
        return List.of(AsyncBulkhead.of(4), builder.build());
    }

    CompletionStage<Number> submit(AsyncBulkhead bulkhead, Supplier<CompletableFuture<Number>> operation) {
        CompletionStage<String> text = bulkhead.submit(() -> CompletableFuture.completedStage("done"));
        return text.thenCombine(bulkhead.submit(operation), (one, other) -> other);
    }

    long sum(AsyncBulkhead bulkhead) {
        String name = bulkhead.name();
        int maxInFlight = bulkhead.maxInFlight();
        int inFlight = bulkhead.inFlight();
        int available = bulkhead.available();
        BulkheadStats stats = new BulkheadStats(4, 3, 1, 2);
        stats = bulkhead.stats();
        long submitted = stats.submitted();
        long admitted = stats.admitted();
        long rejected = stats.rejected();
        long released = stats.released();
        return name.length() + maxInFlight + inFlight + available + submitted + admitted + rejected + released;
    }

    RuntimeException refused(BulkheadRejectedException refusal) {
        return refusal;
    }

    int kind(TerminalKind kind) {
        return switch (kind) {
            case SUCCESS -> 0;
            case FAILURE -> 1;
            case CANCELLED -> 2;
        };
    }
}
