package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.memory.Threads;
import io.tidegate.memory.Weight;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hot")
class SoakTest extends BulkheadTest {
    private static final int OPERATIONS = 10_000_000;

    /** Far more than what varies between garbage collections, far less than an object for each call. */
    private static final long SLACK = 64L << 20;

    /** Memory that the first calls may allocate once. */
    private static final long WEIGHT_SLACK = 4_096;

    @Test
    @DisplayName("AB-5 AB-12 AB-18 AB-20 ten million mixed operations leave no permit, no memory and no thread behind")
    void mixedOperations_leaveNothing() {
        AsyncBulkhead bulkhead = bulkhead(2);
        CompletableFuture<String> holder = new CompletableFuture<>();
        submit(bulkhead, holder);
        mix(bulkhead, OPERATIONS / 30);
        long weightBefore = Weight.of(bulkhead);
        long heapBefore = heapInUse();

        int threads = Threads.leftBy(() -> mix(bulkhead, OPERATIONS / 3)); // three submissions a round

        assertThat(heapInUse() - heapBefore).as("growth of the heap").isLessThan(SLACK);
        assertThat(Weight.of(bulkhead) - weightBefore)
                .as("growth of the bulkhead")
                .isLessThan(WEIGHT_SLACK);
        assertThat(threads).isZero();
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        assertThat(bulkhead.stats().submitted()).isGreaterThan(OPERATIONS);
        holder.complete("done");
    }

    @Test
    @DisplayName("AB-5 ten million refusals leave nothing behind")
    void refusals_leaveNothing() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<String> holder = new CompletableFuture<>();
        submit(bulkhead, holder);
        long weightBefore = Weight.of(bulkhead);
        long heapBefore = heapInUse();

        for (int i = 0; i < OPERATIONS; i++) {
            bulkhead.submit(CompletableFuture::new);
        }

        assertThat(heapInUse() - heapBefore).as("growth of the heap").isLessThan(SLACK);
        assertThat(Weight.of(bulkhead) - weightBefore)
                .as("growth of the bulkhead")
                .isLessThan(WEIGHT_SLACK);
        assertThat(bulkhead.stats().rejected()).isEqualTo(OPERATIONS);
        holder.complete("done");
    }

    /** One permit is held by the test, so of two submissions at once the second is refused. */
    private static void mix(AsyncBulkhead bulkhead, int rounds) {
        IllegalStateException failure = new IllegalStateException("failed");
        CompletableFuture<String> done = CompletableFuture.completedFuture("done");
        for (int i = 0; i < rounds; i++) {
            CompletableFuture<String> operation = new CompletableFuture<>();
            switch (i % 64) { // ends that make a stack trace take long, and so are rare
                case 0 -> bulkhead.submit(() -> null);
                case 1 -> submit(bulkhead, operation).cancel(false);
                case 2 -> {
                    CompletableFuture<String> returned = submit(bulkhead, operation);
                    operation.completeExceptionally(failure);
                    returned.cancel(false);
                }
                default -> {
                    submit(bulkhead, done);
                    CompletableFuture<String> returned = submit(bulkhead, operation);
                    submit(bulkhead, operation);
                    if (i % 2 == 0) {
                        operation.complete("done");
                    } else {
                        returned.complete("by hand");
                    }
                }
            }
        }
    }

    private static long heapInUse() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
