package io.tidegate.bulkhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.broken.BrokenBulkhead;
import io.tidegate.bulkhead.broken.BulkheadFactory;
import io.tidegate.race.Race;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("hot")
class RaceTest extends BulkheadTest {
    private static final Map<BrokenBulkhead, BulkheadRace> CAUGHT_BY = Map.of(
            BrokenBulkhead.RELEASE_ONLY_ON_CANCEL, BulkheadRace.COMPLETE_BY_HAND_AGAINST_CANCEL,
            BrokenBulkhead.RELEASE_AFTER_PUBLICATION, BulkheadRace.SEEN_DONE_THEN_SUBMIT,
            BrokenBulkhead.TWO_STEP_DECISION, BulkheadRace.CANCEL_AGAINST_END,
            BrokenBulkhead.CHECK_THEN_ACT, BulkheadRace.SUBMIT_AGAINST_SUBMIT);

    @ParameterizedTest
    @EnumSource(BulkheadRace.class)
    @DisplayName("AB-3 AB-10 AB-12 AB-13 AB-14 AB-16 hold when two threads meet, up to two million times over")
    void race_tidegate_isRight(BulkheadRace race) {
        assertThat(race.run(BulkheadFactory.TIDEGATE, 2_000_000, Race.LIMIT)).isNull();
    }

    @Test
    @DisplayName("AB-11 AB-12 AB-16 under OPERATION, too, an operation that signals from two threads costs one release")
    void twoSignals_operationLifetime_releaseOnce() {
        BulkheadFactory factory = (limit, listener) -> AsyncBulkhead.builder(limit)
                .listener(listener)
                .permitLifetime(PermitLifetime.OPERATION)
                .build();

        assertThat(BulkheadRace.TWO_SIGNALS.run(factory, 2_000_000, Race.LIMIT)).isNull();
    }

    @ParameterizedTest
    @EnumSource(BrokenBulkhead.class)
    @Tag("broken")
    @DisplayName("the races catch every broken bulkhead")
    void race_broken_isCaught(BrokenBulkhead broken) {
        assertThat(CAUGHT_BY.get(broken).run(broken, Long.MAX_VALUE, Race.UNTIL_CAUGHT))
                .isNotNull();
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("AB-3 AB-12 AB-20 many threads, every kind of end: never above the limit, every permit back")
    void manyThreads_everyEnd_conserves(PermitLifetime lifetime) throws InterruptedException {
        int limit = 3;
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AsyncBulkhead bulkhead = bulkhead(limit, lifetime, new BulkheadListener() {
            @Override
            public void onReleased(TerminalKind kind, Throwable errorOrNull) {
                Thread.onSpinWait();
            }
        });
        AtomicLong refused = new AtomicLong();
        Thread[] threads = new Thread[8];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                for (int round = 0; round < 100_000; round++) {
                    if (!submitAndEnd(bulkhead, inside, most)) {
                        refused.incrementAndGet();
                    }
                }
            });
            threads[i].start();
        }
        while (Stream.of(threads).anyMatch(Thread::isAlive)) {
            BulkheadStats stats = bulkhead.stats();
            assertThat(stats.released()).isLessThanOrEqualTo(stats.admitted());
            assertThat(bulkhead.inFlight()).isBetween(0, limit);
            assertThat(bulkhead.available()).isBetween(0, limit);
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(most.get()).isBetween(1, limit);
        assertThat(bulkhead.stats().submitted()).isEqualTo(800_000);
        assertThat(bulkhead.stats().rejected()).isEqualTo(refused.get());
    }

    /** Counts operations from inside the supplier until just before the end: at most while the permit is held. */
    private static boolean submitAndEnd(AsyncBulkhead bulkhead, AtomicInteger inside, AtomicInteger most) {
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> returned = bulkhead.submit(() -> {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    return operation;
                })
                .toCompletableFuture();
        if (returned.isDone()) {
            return false;
        }
        inside.decrementAndGet();
        switch (ThreadLocalRandom.current().nextInt(5)) {
            case 0 -> operation.complete("done");
            case 1 -> operation.completeExceptionally(new IllegalStateException("failed"));
            case 2 -> returned.cancel(true);
            case 3 -> returned.complete("by hand");
            default -> returned.obtrudeValue("obtruded");
        }
        operation.complete("late");
        return true;
    }
}
