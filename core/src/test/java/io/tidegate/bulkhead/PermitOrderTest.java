package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a permit is free, how deep chains of submissions go, and what stays behind. */
class PermitOrderTest extends BulkheadTest {
    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-14 a continuation of the returned stage finds the permit free")
    void continuation_submits_isAdmitted(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(1, lifetime);
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> next = submit(bulkhead, first)
                .thenCompose(value -> bulkhead.submit(() -> CompletableFuture.completedFuture(value + "!")));

        first.complete("done");

        assertThat(next).isCompletedWithValue("done!");
        assertThat(bulkhead.stats().rejected()).isZero();
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-14 submit, join, submit at a limit of 1 never refuses")
    void submitJoinSubmit_limitOne_neverRefuses(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(1, lifetime);
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try {
            for (int i = 0; i < 20_000; i++) {
                int round = i;
                bulkhead.submit(() -> CompletableFuture.supplyAsync(() -> round, executor))
                        .toCompletableFuture()
                        .join();
            }
        } finally {
            executor.shutdown();
        }

        assertThat(bulkhead.stats()).isEqualTo(new BulkheadStats(20_000, 20_000, 0, 20_000));
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-19 two thousand levels of direct recursion lose no permit")
    void chain_directRecursion_losesNothing(PermitLifetime lifetime) throws InterruptedException {
        AsyncBulkhead bulkhead = bulkhead(1, lifetime);

        onDeepStack(() -> chain(bulkhead, 2_000, CompletableFuture::completedFuture));

        assertThat(bulkhead.stats().released()).isEqualTo(2_001);
        assertThat(bulkhead.stats().rejected()).isZero();
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-19 two thousand nested completions of pending operations lose no permit")
    void chain_pendingOperations_losesNothing(PermitLifetime lifetime) throws InterruptedException {
        AsyncBulkhead bulkhead = bulkhead(1, lifetime);
        AtomicInteger reached = new AtomicInteger();

        onDeepStack(() -> endAndSubmitNext(bulkhead, reached, 2_000));

        assertThat(reached).hasValue(2_000);
        assertThat(bulkhead.stats().released()).isEqualTo(2_000);
        assertThat(bulkhead.stats().rejected()).isZero();
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-19 any number of levels through an executor lose no permit")
    void chain_throughExecutor_losesNothing(PermitLifetime lifetime) throws InterruptedException {
        AsyncBulkhead bulkhead = bulkhead(1, lifetime);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        CompletableFuture<Integer> end = new CompletableFuture<>();

        executor.execute(() -> step(bulkhead, executor, 100_000, end));

        assertThat(end.join()).isZero();
        executor.shutdown();
        assertThat(executor.awaitTermination(10, TimeUnit.MINUTES)).isTrue();
        assertThat(bulkhead.stats().rejected()).isZero();
    }

    /** Plain CompletableFutures overflow a default stack at some hundred levels, before any bulkhead is involved. */
    private static void onDeepStack(Runnable work) throws InterruptedException {
        Thread thread = new Thread(null, work, "deep", 64L << 20);
        thread.start();
        thread.join();
    }

    private static CompletionStage<Integer> chain(
            AsyncBulkhead bulkhead, int levels, Function<Integer, CompletionStage<Integer>> work) {
        return bulkhead.submit(() -> work.apply(levels))
                .thenCompose(left -> left == 0 ? work.apply(0) : chain(bulkhead, left - 1, work));
    }

    private static void endAndSubmitNext(AsyncBulkhead bulkhead, AtomicInteger reached, int levels) {
        if (levels == 0) {
            return;
        }
        CompletableFuture<String> operation = new CompletableFuture<>();
        submit(bulkhead, operation).thenRun(() -> {
            reached.incrementAndGet();
            endAndSubmitNext(bulkhead, reached, levels - 1);
        });
        operation.complete("done");
    }

    private static void step(AsyncBulkhead bulkhead, Executor executor, int left, CompletableFuture<Integer> end) {
        CompletableFuture<Integer> operation = new CompletableFuture<>();
        submit(bulkhead, operation)
                .whenCompleteAsync(
                        (value, error) -> {
                            if (error != null) {
                                end.completeExceptionally(error);
                            } else if (left == 0) {
                                end.complete(0);
                            } else {
                                step(bulkhead, executor, left - 1, end);
                            }
                        },
                        executor);
        operation.complete(left);
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @Timeout(600)
    @DisplayName("AB-18 a finished submission keeps neither its supplier nor its operation")
    void submission_finished_keepsNothing(PermitLifetime lifetime) {
        AsyncBulkhead bulkhead = bulkhead(2, lifetime);
        CompletableFuture<byte[]> operation = new CompletableFuture<>();
        Supplier<CompletionStage<byte[]>> supplier = holder(operation);
        WeakReference<Object> operationGone = new WeakReference<>(operation);
        WeakReference<Object> supplierGone = new WeakReference<>(supplier);
        CompletableFuture<byte[]> returned = bulkhead.submit(supplier).toCompletableFuture();

        operation.complete(new byte[0]);
        operation = null;
        supplier = null;

        awaitCollected(operationGone);
        awaitCollected(supplierGone);
        assertThat(returned).isDone();
    }

    @Test
    @Timeout(600)
    @DisplayName("AB-18 a cancelled submission does not keep its operation reachable, though that never ends")
    void submission_cancelled_keepsNothing() {
        AsyncBulkhead bulkhead = bulkhead(1);
        CompletableFuture<byte[]> operation = new CompletableFuture<>();
        WeakReference<Object> operationGone = new WeakReference<>(operation);
        CompletableFuture<byte[]> returned = bulkhead.submit(holder(operation)).toCompletableFuture();

        returned.cancel(true);
        operation = null;

        awaitCollected(operationGone);
        assertThat(returned).isCancelled();
    }

    /** A supplier with an identity of its own; a lambda in the test would be captured by the test's frame. */
    private static <T> Supplier<CompletionStage<T>> holder(CompletionStage<T> stage) {
        return new Supplier<>() {
            @Override
            public CompletionStage<T> get() {
                return stage;
            }
        };
    }

    private static void awaitCollected(WeakReference<?> reference) {
        while (!reference.refersTo(null)) {
            System.gc();
            Thread.onSpinWait();
        }
    }
}
