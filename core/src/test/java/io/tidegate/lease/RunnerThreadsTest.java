package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A runner on an engine, with real threads of which some are blocked. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunnerThreadsTest {
    private static final Duration LEASE = Duration.ofMillis(300);

    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final CountDownLatch end = new CountDownLatch(1);

    /** A clock that stands still, so that no lease ends by itself. */
    private final AtomicLong clock = new AtomicLong(1_000);

    private final SharedStore store = new SharedStore(clock::get, LEASE, 2);

    private static void await(BooleanSupplier reached) {
        while (!reached.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private SharedStore.Wire oneByOne(SharedStore.Wire inner) {
        return new SharedStore.Wire() {
            @Override
            public <T> T call(Supplier<T> operation) {
                return inner.call(() -> {
                    synchronized (store) {
                        return operation.get();
                    }
                });
            }
        };
    }

    @AfterEach
    void stopThreads() {
        end.countDown();
        threads.shutdownNow();
        scheduler.shutdownNow();
    }

    @Test
    @DisplayName("WR-6 a renewal that hangs, busy tasks and a busy scheduler keep no lease from being prolonged")
    void renewal_hangs_othersArePassed() {
        AtomicInteger renewals = new AtomicInteger();
        AtomicBoolean attemptsBegan = new AtomicBoolean();
        SharedStore.Wire wire = oneByOne(new SharedStore.Wire() {
            @Override
            public <T> T call(Supplier<T> operation) {
                boolean prolongs = attemptsBegan.get();
                if (prolongs && renewals.incrementAndGet() == 1) {
                    await(end); // the first renewal hangs until the test ends
                }
                return operation.get();
            }
        });
        CountDownLatch both = new CountDownLatch(2);
        LeaseRunner runner = LeaseRunner.builder(
                        store.of("me", wire),
                        work -> {
                            both.countDown();
                            await(end);
                        },
                        threads,
                        scheduler)
                .sweepEvery(Duration.ofHours(1))
                .build();
        scheduler.execute(() -> await(end));
        runner.offer("A", 1);
        runner.offer("B", 1);
        await(both);

        attemptsBegan.set(true);
        await(() -> renewals.get() >= 4);

        end.countDown();
        runner.close();
        assertThat(store.processed("A")).containsExactly(1L);
        assertThat(store.processed("B")).containsExactly(1L);
    }

    @Test
    @DisplayName("WR-1 a lost lease interrupts its attempt if so configured, and the thread is clean afterwards")
    void attempt_lost_isInterrupted() {
        CountDownLatch began = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        SharedStore.Wire wire = oneByOne(new SharedStore.Wire() {
            @Override
            public <T> T call(Supplier<T> operation) {
                return operation.get();
            }
        });
        LeaseRunner runner = LeaseRunner.builder(
                        store.of("me", wire),
                        work -> {
                            began.countDown();
                            try {
                                end.await();
                            } catch (InterruptedException lost) {
                                interrupted.set(work.isLost());
                                throw lost;
                            }
                        },
                        Runnable::run,
                        scheduler)
                .interruptLost()
                .sweepEvery(Duration.ofHours(1))
                .build();
        AtomicBoolean leftInterrupted = new AtomicBoolean();
        Thread thread = new Thread(() -> {
            runner.offer("A", 1);
            leftInterrupted.set(Thread.currentThread().isInterrupted());
        });
        thread.start();
        await(began);

        clock.addAndGet(10 * LEASE.toMillis());
        assertThat(store.of("other", wire).tryAcquire("A", 1).code()).isEqualTo("ACQUIRED");
        await(() -> !thread.isAlive());

        assertThat(interrupted).isTrue();
        assertThat(leftInterrupted).isFalse();
        await(() -> runner.stats().lost() == 1);
        runner.close();
    }
}
