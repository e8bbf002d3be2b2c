package io.tidegate.rate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.tidegate.gate.WaitingGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final long STEP = 100_000_000;

    private final ManualTime time = new ManualTime(0);
    private final List<Integer> started = new ArrayList<>();

    private RateLimiter.Builder builder() {
        return RateLimiter.builder(10, SECOND)
                .burst(1)
                .maxWait(SECOND)
                .ticker(time)
                .scheduler(time.scheduler);
    }

    private CompletableFuture<String> submit(RateLimiter limiter, int number) {
        return limiter.submit(() -> {
                    started.add(number);
                    return CompletableFuture.completedFuture("done " + number);
                })
                .toCompletableFuture();
    }

    private List<CompletableFuture<String>> submitMany(RateLimiter limiter, int many) {
        List<CompletableFuture<String>> returned = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            returned.add(submit(limiter, i));
        }
        return returned;
    }

    private void pass(long nanos) {
        time.advance(nanos);
        time.runDue();
    }

    @Test
    @DisplayName("RL-4 waiting submissions start in order of arrival, each when its permit is there")
    void submit_waits_inOrder() {
        RateLimiter limiter = builder().build();
        List<CompletableFuture<String>> returned = submitMany(limiter, 4);

        assertThat(started).containsExactly(0);
        assertThat(limiter.stats()).isEqualTo(new RateLimiterStats(1, 0, 3));
        pass(STEP - 1);
        assertThat(started).containsExactly(0);
        pass(1);
        assertThat(started).containsExactly(0, 1);
        pass(2 * STEP);
        assertThat(started).containsExactly(0, 1, 2);
        pass(STEP);
        assertThat(started).containsExactly(0, 1, 2, 3);
        assertThat(returned.get(3)).isCompletedWithValue("done 3");
        assertThat(limiter.stats()).isEqualTo(new RateLimiterStats(4, 0, 0));
    }

    @Test
    @DisplayName("RL-4 with a burst, all submissions that are due start, and no more")
    void lateTimer_allWhoAreDue() {
        RateLimiter limiter = builder().burst(5).build();
        limiter.tryAcquire(5);
        submitMany(limiter, 8);
        pass(5 * STEP);

        assertThat(started).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    @DisplayName("RL-4 a submission that would wait for longer than maxWait is refused at once")
    void submit_tooLong_refused() {
        RateLimiter limiter = builder().build();
        List<CompletableFuture<String>> returned = submitMany(limiter, 12);

        assertThat(returned.get(10)).isNotDone();
        assertThat(returned.get(11)).isCompletedExceptionally();
        assertThat(limiter.stats()).isEqualTo(new RateLimiterStats(1, 1, 10));
    }

    @Test
    @DisplayName("RL-4 a wait that is given up, however its stage ends, lets those behind move up and costs no permit")
    void endedStage_givesPlaceBack() {
        RateLimiter limiter = builder().build();
        List<CompletableFuture<String>> returned = submitMany(limiter, 11);
        returned.get(1).cancel(true);
        returned.get(2).complete("by hand");
        returned.get(3).completeExceptionally(new IllegalStateException("given up"));
        returned.get(4).obtrudeValue("obtruded");

        assertThat(limiter.stats().waiting()).isEqualTo(6);
        pass(STEP);
        assertThat(started).containsExactly(0, 5);
        assertThat(submit(limiter, 11)).isNotDone();
        pass(STEP);
        pass(STEP);
        pass(STEP);
        pass(STEP);
        pass(STEP);
        pass(STEP);
        assertThat(started).containsExactly(0, 5, 6, 7, 8, 9, 10, 11);
        assertThat(limiter.stats().admitted()).isEqualTo(8);
    }

    @Test
    @DisplayName("RL-4 once all have given up, a try need not stand behind anybody")
    void allGaveUp_tryAcquireIsFirst() {
        RateLimiter limiter = builder().build();
        submitMany(limiter, 3).forEach(stage -> stage.cancel(true));
        time.advance(STEP);

        assertThat(limiter.tryAcquire()).isTrue();
        time.runDue();
        assertThat(started).containsExactly(0);
    }

    @Test
    @DisplayName(
            "RL-4 tryAcquire leaves waiting submissions their permits, though their timer is late, and takes others")
    void tryAcquire_standsBehind() {
        RateLimiter limiter = builder().burst(4).build();
        limiter.tryAcquire(4);
        submitMany(limiter, 2);

        assertThat(limiter.nanosUntil(1)).isEqualTo(3 * STEP);
        time.advance(2 * STEP);
        assertThat(limiter.tryAcquire()).isFalse();
        time.advance(STEP);
        assertThat(limiter.tryAcquire(2)).isFalse();
        assertThat(limiter.tryAcquire()).isTrue();
        assertThat(started).isEmpty();
        time.runDue();
        assertThat(started).containsExactly(0, 1);
        assertThat(limiter.stats()).isEqualTo(new RateLimiterStats(7, 2, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire(5));
    }

    @Test
    @DisplayName("RL-4 a newcomer does not overtake submissions that are due and not started")
    void submit_othersAreDue_waitsBehind() {
        RateLimiter limiter = builder().burst(4).build();
        limiter.tryAcquire(4);
        submit(limiter, 0);
        time.advance(4 * STEP);
        submit(limiter, 1);

        assertThat(started).isEmpty();
        time.runDue();
        assertThat(started).containsExactly(0, 1);
    }

    @Test
    @DisplayName("RL-4 admitted means started: a stage that is ended once its operation was let in changes nothing")
    void endAfterAdmission_stillStarts() {
        RateLimiter limiter = builder().build();
        submit(limiter, 0);
        List<CompletableFuture<String>> second = new ArrayList<>();
        second.add(limiter.submit(() -> {
                    second.get(0).cancel(true);
                    started.add(1);
                    return CompletableFuture.completedFuture("late");
                })
                .toCompletableFuture());
        pass(STEP);

        assertThat(started).containsExactly(0, 1);
        assertThat(second.get(0)).isCancelled();
        assertThat(limiter.stats()).isEqualTo(new RateLimiterStats(2, 0, 0));
    }

    @Test
    @DisplayName("RL-4 a supplier that throws or returns null keeps nobody from starting")
    void badSupplier_othersStart() {
        RateLimiter limiter = builder().build();
        submit(limiter, 0);
        CompletableFuture<String> thrown = limiter.<String>submit(() -> {
                    throw new StackOverflowError("thrown");
                })
                .toCompletableFuture();
        CompletableFuture<String> none = limiter.<String>submit(() -> null).toCompletableFuture();
        submit(limiter, 3);
        pass(STEP);
        pass(STEP);
        pass(STEP);

        assertThat(thrown).isCompletedExceptionally();
        assertThat(none).isCompletedExceptionally();
        assertThat(started).containsExactly(0, 3);
    }

    @Test
    @DisplayName("RL-4 a supplier may submit, try, and change the rate")
    void supplier_reenters() {
        RateLimiter limiter = builder().build();
        submit(limiter, 0);
        limiter.submit(() -> {
            started.add(1);
            submit(limiter, 2);
            limiter.tryAcquire();
            limiter.setRate(20, SECOND);
            return CompletableFuture.completedFuture("done");
        });
        pass(STEP);
        pass(STEP);

        assertThat(started).containsExactly(0, 1, 2);
    }

    @Test
    @DisplayName("RL-4 a hundred thousand waiting submissions have one timer, and giving up is cheap at any position")
    void manyWaiters_oneTimer() {
        int many = 100_000;
        RateLimiter limiter = RateLimiter.builder(1_000, SECOND)
                .burst(1)
                .maxWait(Duration.ofDays(1))
                .ticker(time)
                .scheduler(time.scheduler)
                .build();
        List<CompletableFuture<String>> returned = submitMany(limiter, many + 1);

        assertThat(time.scheduled()).isEqualTo(1);
        assertThat(limiter.stats().waiting()).isEqualTo(many);
        for (int i = many; i > 2; i--) {
            returned.get(i).complete("given up");
        }
        assertThat(time.scheduled()).isEqualTo(1);
        pass(1_000_000);
        pass(1_000_000);
        assertThat(started).containsExactly(0, 1, 2);
        assertThat(limiter.stats().waiting()).isZero();
    }

    @Test
    @DisplayName("RL-6 setRate gives waiting submissions new times, earlier and later")
    void setRate_timesAnew() {
        RateLimiter limiter = builder().build();
        submitMany(limiter, 4);
        limiter.setRate(100, SECOND);
        pass(STEP / 10);
        assertThat(started).containsExactly(0, 1);
        limiter.setRate(1, SECOND);
        pass(STEP);
        assertThat(started).containsExactly(0, 1);
        pass(9 * STEP);
        assertThat(started).containsExactly(0, 1, 2);
        assertThat(limiter.stats().waiting()).isEqualTo(1);
    }

    @Test
    @DisplayName("RL-5 waiting submissions start after a step back, when time is where it was")
    void stepBack_waitersStartLater() {
        RateLimiter limiter = builder().build();
        submitMany(limiter, 2);
        time.stepBack(STEP);
        pass(STEP);
        assertThat(started).containsExactly(0);
        pass(STEP);
        assertThat(started).containsExactly(0, 1);
    }

    @Test
    @DisplayName("RL-4 a scheduler that refuses is done without")
    void scheduler_refuses_startsAllTheSame() throws InterruptedException {
        time.refuse();
        RateLimiter limiter = RateLimiter.builder(1_000, SECOND)
                .burst(1)
                .maxWait(SECOND)
                .scheduler(time.scheduler)
                .build();
        CountDownLatch all = new CountDownLatch(20);
        for (int i = 0; i < 20; i++) {
            limiter.submit(() -> {
                all.countDown();
                return CompletableFuture.completedFuture("done");
            });
        }

        assertThat(all.await(5, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    @DisplayName("RL-4 a timer that was lost with its scheduler is set again by the next submission")
    void scheduler_losesTimer_nextSetsIt() {
        RateLimiter limiter = builder().maxWait(Duration.ofMinutes(1)).build();
        submitMany(limiter, 2);
        time.drop();
        time.advance(SECOND.toNanos() + STEP);
        submit(limiter, 2);
        time.runDue();
        pass(STEP);

        assertThat(started).containsExactly(0, 1, 2);
    }

    @Test
    @DisplayName("RL-4 an old timer that fires after all, or twice, starts no submission that is not due")
    void staleTimers_changeNothing() {
        RateLimiter limiter = builder().build();
        submitMany(limiter, 3);
        time.advance(STEP);
        List<Runnable> first = time.due();
        limiter.setRate(10, SECOND);
        first.forEach(Runnable::run);
        assertThat(started).containsExactly(0);
        time.runDue();
        first.forEach(Runnable::run);
        assertThat(started).containsExactly(0, 1);
        pass(STEP);
        assertThat(started).containsExactly(0, 1, 2);
    }

    @Test
    @DisplayName("RL-4 with the library's own time submissions start in order, and one that blocks delays no other")
    void ownTime_oneBlocks_othersStart() throws InterruptedException {
        RateLimiter limiter = emptyAndSlow(RateLimiter.builder(1, SECOND));
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch others = new CountDownLatch(50);
        ConcurrentLinkedQueue<Integer> order = new ConcurrentLinkedQueue<>();
        AtomicBoolean timedOut = new AtomicBoolean();
        for (int i = 0; i < 51; i++) {
            int number = i;
            limiter.submit(() -> {
                order.add(number);
                if (number == 10) {
                    timedOut.set(!awaits(blocked));
                } else {
                    others.countDown();
                }
                return CompletableFuture.completedFuture("done");
            });
        }
        limiter.setRate(100_000, SECOND);

        assertThat(others.await(5, TimeUnit.MINUTES)).isTrue();
        blocked.countDown();
        assertThat(order).hasSize(51);
        assertThat(timedOut).isFalse();
    }

    /** Lets all new submissions wait, until the rate is raised. */
    private static RateLimiter emptyAndSlow(RateLimiter.Builder builder) {
        RateLimiter limiter = builder.burst(1).maxWait(Duration.ofDays(1)).build();
        limiter.setRate(1, Duration.ofMinutes(1));
        limiter.tryAcquire();
        return limiter;
    }

    private static boolean awaits(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Test
    @DisplayName("RL-4 on a scheduler of the user's, waiting submissions start there, in order")
    void givenScheduler_startsThereInOrder() throws InterruptedException {
        ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(3, task -> new Thread(task, "given"));
        try {
            AtomicLong now = new AtomicLong();
            RateLimiter limiter =
                    emptyAndSlow(RateLimiter.builder(1, SECOND).ticker(now::get).scheduler(scheduler));
            CountDownLatch all = new CountDownLatch(200);
            ConcurrentLinkedQueue<String> seen = new ConcurrentLinkedQueue<>();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                int number = i;
                expected.add("given " + i);
                limiter.submit(() -> {
                    seen.add(Thread.currentThread().getName() + " " + number);
                    now.addAndGet(1_000);
                    limiter.tryAcquire();
                    all.countDown();
                    return new CompletableFuture<>();
                });
            }
            limiter.setRate(1_000_000, SECOND);
            now.addAndGet(1_000);

            assertThat(all.await(5, TimeUnit.MINUTES)).isTrue();
            assertThat(seen).containsExactlyElementsOf(expected);
        } finally {
            scheduler.shutdown();
        }
    }

    // As a gate

    private final class Someone implements WaitingGate.Waiter {
        final AtomicInteger runs = new AtomicInteger();
        boolean waits = true;

        @Override
        public boolean admit() {
            return waits;
        }

        @Override
        public void run() {
            runs.incrementAndGet();
        }
    }

    @Test
    @DisplayName("RL-4 a gate's waiter that does not wait any more costs no permit, and the next goes in")
    void gate_notAdmitted_nextGoesIn() {
        WaitingGate gate = (WaitingGate) builder().build();
        Someone gone = new Someone();
        Someone next = new Someone();
        assertThat(gate.enter(new Someone(), Long.MAX_VALUE)).isZero();
        assertThat(gate.enter(gone, Long.MAX_VALUE)).isEqualTo(WaitingGate.WAITS);
        assertThat(gate.enter(next, Long.MAX_VALUE)).isEqualTo(WaitingGate.WAITS);
        gone.waits = false;
        pass(STEP);

        assertThat(gone.runs).hasValue(0);
        assertThat(next.runs).hasValue(1);
        assertThat(((RateLimiter) gate).stats()).isEqualTo(new RateLimiterStats(2, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE, STEP - 1})
    @DisplayName("RL-4 a gate's waiter with less time than it takes is refused, and told how much is missing")
    void gate_tooLittleTime_refused(long longest) {
        WaitingGate gate = (WaitingGate) builder().build();
        gate.enter();
        long refused = gate.enter(new Someone(), longest);

        assertThat(refused).isNegative().isNotEqualTo(WaitingGate.WAITS);
        assertThat(((RateLimitedException) gate.refusal(refused)).retryAfter())
                .isEqualTo(Duration.ofNanos(STEP - Math.max(0, longest)));
        assertThat(gate.enter(new Someone(), STEP)).isEqualTo(WaitingGate.WAITS);
    }

    @Test
    @DisplayName("RL-4 a gate's entry without waiting is refused behind a waiting call, and giving up makes room")
    void gate_giveUp_makesRoom() {
        WaitingGate gate = (WaitingGate) builder().build();
        gate.enter();
        Someone waiter = new Someone();
        gate.enter(waiter, Long.MAX_VALUE);
        time.advance(STEP);
        assertThat(gate.enter()).isEqualTo(-STEP);
        gate.giveUp(new Someone());
        assertThat(gate.enter()).isEqualTo(-STEP);
        gate.giveUp(waiter);
        assertThat(gate.enter()).isZero();
        gate.leave(0, null, null, io.tidegate.gate.Gate.Verdict.JUDGED);
        time.runDue();
        assertThat(waiter.runs).hasValue(0);
    }

    @Test
    @DisplayName("RL-4 waiting submissions start though the ticker breaks")
    void brokenTicker_waitersStart() {
        AtomicBoolean broken = new AtomicBoolean();
        RateLimiter limiter = builder()
                .ticker(() -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken");
                    }
                    return time.getAsLong();
                })
                .build();
        submitMany(limiter, 3);
        broken.set(true);
        pass(STEP);
        pass(STEP);

        assertThat(started).containsExactly(0, 1, 2);
    }
}
