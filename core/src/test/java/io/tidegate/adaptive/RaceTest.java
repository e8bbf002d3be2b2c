package io.tidegate.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadStats;
import io.tidegate.bulkhead.PermitLifetime;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("hot")
class RaceTest {
    private static final int MIN = 2;
    private static final int MAX = 6;

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    @DisplayName(
            "AL-1 AL-3 AL-4 many threads, every kind of end: the bounds hold, every permit is back, all changes told")
    void manyThreads_everyEnd_conserves(Algorithm algorithm) throws InterruptedException {
        for (PermitLifetime lifetime : PermitLifetime.values()) {
            AtomicLong time = new AtomicLong();
            ConcurrentHashMap.KeySetView<Integer, Boolean> told = ConcurrentHashMap.newKeySet();
            AsyncBulkhead bulkhead = algorithm
                    .builder()
                    .min(MIN)
                    .initial(4)
                    .max(MAX)
                    .permitLifetime(lifetime)
                    .ticker(time::incrementAndGet)
                    .onLimitChange(told::add)
                    .build();
            Thread[] threads = new Thread[4];
            for (int i = 0; i < threads.length; i++) {
                Random random = new Random(i);
                threads[i] = new Thread(() -> {
                    for (int round = 0; round < 10_000; round++) {
                        submitAndEnd(bulkhead, random);
                    }
                });
                threads[i].start();
            }
            while (Stream.of(threads).anyMatch(Thread::isAlive)) {
                assertThat(bulkhead.maxInFlight()).isBetween(MIN, MAX);
                assertThat(bulkhead.inFlight()).isBetween(0, MAX);
                assertThat(bulkhead.available()).isBetween(0, MAX);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            BulkheadStats stats = bulkhead.stats();
            assertThat(stats.submitted()).isEqualTo(40_000);
            assertThat(stats.released()).isEqualTo(stats.admitted());
            assertThat(bulkhead.inFlight()).isZero();
            assertThat(told).allMatch(limit -> limit >= MIN && limit <= MAX);
            int last = bulkhead.maxInFlight();
            assertThat(last == 4 || told.contains(last))
                    .as("told " + told + ", now " + last)
                    .isTrue();
        }
    }

    private static void submitAndEnd(AsyncBulkhead bulkhead, Random random) {
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = bulkhead.submit(() -> operation).toCompletableFuture();
        switch (random.nextInt(20)) {
            case 0 -> operation.completeExceptionally(new TimeoutException());
            case 1 -> returned.completeExceptionally(new TimeoutException());
            case 2 -> returned.cancel(true);
            case 3 -> returned.obtrudeValue("obtruded");
            default -> operation.complete("done");
        }
        operation.complete("late");
    }
}
