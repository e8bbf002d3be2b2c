package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** What every bulkhead test starts from, and what it must leave behind: all permits back, counts that add up. */
abstract class BulkheadTest {
    private final List<AsyncBulkhead> made = new ArrayList<>();

    /** Makes the bulkhead that is tested; every kind of bulkhead keeps the same rules. */
    AsyncBulkhead make(int maxInFlight, PermitLifetime lifetime, @Nullable BulkheadListener listener) {
        AsyncBulkhead.Builder builder = AsyncBulkhead.builder(maxInFlight).permitLifetime(lifetime);
        return listener == null ? builder.build() : builder.listener(listener).build();
    }

    final AsyncBulkhead bulkhead(int maxInFlight) {
        return bulkhead(maxInFlight, PermitLifetime.RETURNED_STAGE);
    }

    final AsyncBulkhead bulkhead(int maxInFlight, PermitLifetime lifetime) {
        return made(make(maxInFlight, lifetime, null));
    }

    final AsyncBulkhead bulkhead(int maxInFlight, PermitLifetime lifetime, BulkheadListener listener) {
        return made(make(maxInFlight, lifetime, listener));
    }

    final AsyncBulkhead bulkhead(int maxInFlight, BulkheadListener listener) {
        return bulkhead(maxInFlight, PermitLifetime.RETURNED_STAGE, listener);
    }

    private AsyncBulkhead made(AsyncBulkhead bulkhead) {
        made.add(bulkhead);
        return bulkhead;
    }

    @AfterEach
    final void permitsAreConserved() {
        for (AsyncBulkhead bulkhead : made) {
            BulkheadStats stats = bulkhead.stats();
            assertThat(bulkhead.inFlight()).as("in flight at the end").isZero();
            assertThat(bulkhead.available()).as("available at the end").isEqualTo(bulkhead.maxInFlight());
            assertThat(stats.released()).as("released at the end").isEqualTo(stats.admitted());
            assertThat(stats.submitted()).isEqualTo(stats.admitted() + stats.rejected());
        }
    }

    static <T> CompletableFuture<T> submit(AsyncBulkhead bulkhead, CompletionStage<T> operation) {
        return bulkhead.submit(() -> operation).toCompletableFuture();
    }

    /** Returns the error of an ended stage as a continuation gets it: not unwrapped. */
    static Throwable errorOf(CompletionStage<?> stage) {
        return stage.handle((value, error) -> error).toCompletableFuture().getNow(null);
    }

    static void assertRefused(CompletionStage<?> stage) {
        assertThat(errorOf(stage)).isInstanceOf(BulkheadRejectedException.class);
    }

    /** Throws a checked exception where the compiler allows none. */
    @SuppressWarnings("unchecked") // E is erased, which is the trick
    static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
