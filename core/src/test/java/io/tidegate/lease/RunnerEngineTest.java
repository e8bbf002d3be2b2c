package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lease.runner.ForwardingLease;
import io.tidegate.reading.Measures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runners on an engine whose leases end, in virtual time. */
class RunnerEngineTest {
    private static final String A = "A";
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration SWEEP = Duration.ofSeconds(5);
    private static final int RETRIES = 2;

    private final VirtualTime time = new VirtualTime();
    private final SharedStore store = new SharedStore(time::millis, LEASE, RETRIES);
    private final RunnerProcess one = new RunnerProcess("one", store, time, SWEEP);
    private final RunnerProcess two = new RunnerProcess("two", store, time, SWEEP);

    private void pass(Duration duration) {
        time.pass(duration.toNanos());
    }

    private void taking(RunnerProcess process, Duration duration) {
        process.task = work -> process.takes(duration, () -> {});
    }

    private static RuntimeException away() {
        return new IllegalStateException("engine away");
    }

    @Test
    @DisplayName("WR-1 leases that are too short to be prolonged in time are refused when the runner is built")
    void build_leaseTooShort_isRefused() {
        assertThatThrownBy(() -> runnerOn(Duration.ofMillis(11)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("leaseDuration: PT0.011S (expected: >= PT0.012S");
        assertThat(runnerOn(Duration.ofMillis(12)).runner.offer(A, 1).code()).isEqualTo("ACQUIRED");
    }

    private RunnerProcess runnerOn(Duration lease) {
        return new RunnerProcess("short", new SharedStore(time::millis, lease, RETRIES), time, SWEEP);
    }

    @Test
    @DisplayName("WR-1 work that waits for a thread for longer than its lease is held, and runs once")
    void start_later_isHeld() {
        one.threadsAfterNanos = LEASE.multipliedBy(3)::toNanos;
        one.runner.offer(A, 1);

        for (int i = 0; i < 20; i++) {
            pass(Duration.ofSeconds(4));
            assertThat(store.holder(A)).isEqualTo("one");
            assertThat(two.runner.offer(A, 1).code()).isEqualTo("HELD_ELSEWHERE");
        }
        pass(LEASE);

        assertThat(one.news).containsExactly("runs 1");
        assertThat(two.news).isEmpty();
        assertThat(store.processed(A)).containsExactly(1L);
    }

    @Test
    @DisplayName("WR-1 work that runs for longer than its lease is held, and its end is taken")
    void attempt_long_isHeld() {
        taking(one, LEASE.multipliedBy(10));
        one.runner.offer(A, 1);
        pass(LEASE.multipliedBy(11));

        assertThat(one.lost).isEmpty();
        assertThat(two.news).isEmpty();
        assertThat(store.processed(A)).containsExactly(1L);
    }

    @Test
    @DisplayName("WR-1 a late start asks the engine first, and what is lost does not start")
    void start_lateAndLost_doesNotStart() {
        one.threadsAfterNanos = LEASE.multipliedBy(3)::toNanos;
        one.runner.offer(A, 1);
        one.before = () -> {
            throw away();
        };
        pass(LEASE.multipliedBy(2)); // two takes it up
        one.before = () -> {};
        pass(LEASE.multipliedBy(4));

        assertThat(two.news).containsExactly("runs 1");
        assertThat(one.news).doesNotContain("runs 1").contains("lost 1");
        assertThat(one.runner.stats().lost()).isEqualTo(1);
        assertThat(one.runner.stats().active()).isZero();
    }

    @Test
    @DisplayName("WR-1 a late start whose engine is away waits until it can be asked")
    void start_lateAndAway_waits() {
        one.threadsAfterNanos = LEASE::toNanos;
        two.kill();
        one.runner.offer(A, 1);
        one.before = () -> {
            throw away();
        };
        pass(LEASE.multipliedBy(2));
        assertThat(one.news).doesNotContain("runs 1");
        one.before = () -> {};
        pass(LEASE.multipliedBy(2));

        assertThat(store.processed(A)).containsExactly(1L);
        assertThat(store.failed(A)).isEmpty();
    }

    @Test
    @DisplayName("WR-1 work that runs learns at once that it is lost, and so does the listener")
    void attempt_lost_isTold() {
        List<LeasedWork> works = new ArrayList<>();
        one.task = work -> {
            works.add(work);
            return one.takes(LEASE.multipliedBy(5), () -> {});
        };
        one.runner.offer(A, 1);
        one.before = () -> {
            throw away();
        };
        pass(LEASE.plus(SWEEP)); // two takes it up
        one.before = () -> {};
        pass(LEASE.dividedBy(2));

        assertThat(works.get(0).isLost()).isTrue();
        assertThat(one.news).contains("lost 1");
        pass(LEASE.multipliedBy(5));
        assertThat(one.lost).hasSize(1);
        assertThat(one.runner.stats().lost()).isEqualTo(1);
        assertThat(store.processed(A)).containsExactly(1L);
    }

    @Test
    @DisplayName("WR-1 an offer that is answered ACQUIRED starts now, not when an old wait ends")
    void offer_whileHeldElsewhereWasWaitedFor_startsNow() {
        taking(two, LEASE.multipliedBy(2));
        two.runner.offer(A, 1);
        for (int i = 0; i < 8; i++) {
            assertThat(one.runner.offer(A, 1).code()).isEqualTo("HELD_ELSEWHERE");
            pass(Duration.ofSeconds(2)); // the wait grows
        }
        pass(LEASE.multipliedBy(2));
        long calls = one.calls;

        one.runner.offer(A, 2);
        pass(Duration.ZERO);

        assertThat(one.news).containsExactly("runs 2");
        assertThat(one.calls - calls).isLessThanOrEqualTo(2);
    }

    @Test
    @DisplayName("WL-21 WR-4 a sweep takes over a dead process's offset, with its retries, when the lease has ended")
    void process_dies_isTakenOverSoon() {
        taking(one, LEASE);
        one.runner.offer(A, 1);
        one.runner.offer(A, 2);
        pass(Duration.ofSeconds(1));
        one.kill();
        List<Integer> retries = new ArrayList<>();
        two.task = work -> {
            retries.add(work.retryCount());
            return CompletableFuture.completedFuture(null);
        };
        pass(LEASE.plus(SWEEP));

        assertThat(two.news).containsExactly("runs 1", "runs 2");
        assertThat(retries).containsExactly(1, 0);
        assertThat(store.hasOpen(A)).isFalse();
    }

    @Test
    @DisplayName(
            "WR-4 an offset that was offered to a process while another held it is taken over when that lease ends")
    void heldElsewhere_ownerDies_isAskedForWhenTheLeaseEnds() {
        taking(one, LEASE);
        one.runner.offer(A, 1);
        two.runner.offer(A, 1);
        one.kill();
        pass(LEASE.plusSeconds(1));

        assertThat(two.news).containsExactly("runs 1");
    }

    @Test
    @DisplayName("WL-21 poison that kills each of its processes is parked in the open")
    void poison_killsProcesses_isParkedAndTold() {
        List<RunnerProcess> processes = new ArrayList<>(List.of(one, two));
        for (int i = 0; i < RETRIES + 1; i++) {
            processes.add(new RunnerProcess("more " + i, store, time, SWEEP));
        }
        for (RunnerProcess process : processes) {
            process.task = work -> {
                process.kill();
                return new CompletableFuture<>();
            };
        }
        one.runner.offer(A, 1);
        pass(LEASE.plus(SWEEP).multipliedBy(RETRIES + 3L));

        assertThat(processes.stream().filter(RunnerProcess::isDead)).hasSize(RETRIES + 1);
        assertThat(processes.stream().flatMap(process -> process.parked.stream()))
                .satisfiesExactly(work -> {
                    assertThat(work.offset()).isEqualTo(1);
                    assertThat(work.retryCount()).isEqualTo(RETRIES);
                    assertThat(work.fence()).isEqualTo(RETRIES + 1);
                });
        assertThat(store.failed(A)).containsOnlyKeys(1L);
    }

    @Test
    @DisplayName("WR-5 stop releases what has not begun and what waits for its retry, and burns no retry")
    void stop_notBegunOrBetweenAttempts_isReleased() {
        one.threadsAfterNanos = LEASE::toNanos;
        one.runner.offer("not begun", 1);
        one.threadsAfterNanos = () -> 0;
        one.task = work -> CompletableFuture.failedFuture(new RetryAfter(Duration.ofHours(1)));
        one.runner.offer("between", 1);
        pass(Duration.ofSeconds(1));
        List<String> heard = new ArrayList<>();
        two.task = work -> {
            heard.add(work.domainId() + " " + work.retryCount());
            return CompletableFuture.completedFuture(null);
        };

        CompletionStage<Void> stopped = one.runner.stop();
        pass(SWEEP);

        assertThat(stopped.toCompletableFuture()).isCompleted();
        assertThat(heard).containsExactlyInAnyOrder("not begun 0", "between 1");
        assertThat(store.hasOpen("not begun")).isFalse();
        assertThat(store.hasOpen("between")).isFalse();
    }

    @Test
    @DisplayName("WR-5 stop has not ended while a lease is being given back by a thread that came meanwhile")
    void stop_threadComesMeanwhile_endsAfterTheRelease() {
        one.runner.offer(A, 1);
        CompletableFuture<Void> stopped = one.runner.stop().toCompletableFuture();
        List<Boolean> meanwhile = new ArrayList<>();
        one.before = () -> {
            pass(Duration.ZERO); // all others do what is due
            meanwhile.add(stopped.isDone());
        };
        pass(Duration.ZERO);

        assertThat(meanwhile).as("the one call, which releases").containsExactly(false);
        assertThat(stopped).isCompleted();
        assertThat(one.news).isEmpty();
    }

    @Test
    @DisplayName(
            "WR-5 a lease that cannot be given back now is given back when the engine returns, and stop waits for it")
    void stop_engineAway_givesBackLater() {
        one.task = work -> new CompletableFuture<>();
        two.kill();
        one.threadsAfterNanos = LEASE::toNanos;
        one.runner.offer(A, 1);
        one.before = () -> {
            throw away();
        };
        CompletableFuture<Void> stopped = one.runner.stop().toCompletableFuture();
        pass(Duration.ofMillis(600));
        assertThat(stopped).isNotDone();
        one.before = () -> {};
        pass(Duration.ofSeconds(1));

        assertThat(stopped).isCompleted();
        assertThat(store.holder(A)).isNull();
        RunnerProcess next = new RunnerProcess("next", store, time, SWEEP);
        List<Integer> retries = new ArrayList<>();
        next.task = work -> {
            retries.add(work.retryCount());
            return CompletableFuture.completedFuture(null);
        };
        pass(SWEEP);
        assertThat(retries).containsExactly(0);
    }

    @Test
    @DisplayName("OB-4 a runner tells what its sweeps have found, and how long attempts run, by its own clock")
    void read_swept_isTold() {
        Measures.of(two.runner);
        taking(two, Duration.ofSeconds(2));
        taking(one, LEASE.multipliedBy(100));
        one.runner.offer(A, 1);
        one.runner.offer("B", 1);
        pass(Duration.ofSeconds(1));
        one.kill();
        pass(LEASE.plus(SWEEP).multipliedBy(2));

        Measures told = Measures.of(two.runner);
        assertThat(told.counts).containsEntry("swept", 2L).containsEntry("ended[outcome, success]", 2L);
        assertThat(told.times.get("run").count()).isEqualTo(2);
        assertThat(told.times.get("run").maxNanos())
                .isEqualTo(Duration.ofSeconds(2).toNanos());
    }

    @Test
    @DisplayName("WR-5 what a sweep finds when the runner has stopped is left, and is no error")
    void sweep_stopped_leaves() {
        TurnRunner runner = (TurnRunner) one.runner;
        runner.stop();

        assertThat(runner.takeUp(A)).isFalse();
        assertThat(runner.stats().active()).isZero();
    }

    @Test
    @DisplayName("WR-5 an engine that stays away does not keep a runner from stopping")
    void stop_engineStaysAway_ends() {
        one.threadsAfterNanos = LEASE::toNanos;
        one.runner.offer(A, 1);
        one.before = () -> {
            throw away();
        };
        CompletableFuture<Void> stopped = one.runner.stop().toCompletableFuture();
        pass(Duration.ofSeconds(5));

        assertThat(stopped).isCompleted();
    }

    @Test
    @DisplayName("WR-4 what many dead processes left is taken up by one sweep, as fast as threads come to it")
    void sweep_moreThanThereIsRoomFor_goesOn() {
        one.kill();
        two.kill();
        for (int i = 0; i < 1_000; i++) {
            one.runner.offer("domain " + i, 1);
        }
        pass(LEASE.plus(SWEEP));
        RunnerProcess next = new RunnerProcess("next", store, time, SWEEP);
        next.threadsAfterNanos = Duration.ofMillis(1)::toNanos;
        RunnerProcess other = new RunnerProcess("other", store, time, SWEEP, new SplittableRandom(2));
        other.threadsAfterNanos = Duration.ofMillis(2)::toNanos;
        pass(SWEEP.plusSeconds(1));

        assertThat(next.running.size() + other.running.size()).isZero();
        assertThat(next.news.size() + other.news.size()).isEqualTo(1_000);
    }

    @Test
    @DisplayName("WR-5 stop has not ended while the engine is asked for more time, or for what is left")
    void stop_whileTheEngineIsAsked_endsAfterTheAnswer() {
        RunnerProcess prolongs = new RunnerProcess("prolongs", store, time, Duration.ofDays(1));
        RunnerProcess sweeps = new RunnerProcess("sweeps", store, time, Duration.ofSeconds(1));
        for (RunnerProcess process : List.of(prolongs, sweeps)) {
            taking(process, LEASE.dividedBy(2));
            process.runner.offer(process.name, 1);
            pass(Duration.ZERO); // it runs
            List<CompletableFuture<Void>> stopped = new ArrayList<>();
            List<Boolean> meanwhile = new ArrayList<>();
            process.before = () -> {
                process.before = () -> {};
                stopped.add(process.runner.stop().toCompletableFuture());
                pass(LEASE); // the attempt ends, and the engine gets its outcome
                meanwhile.add(stopped.get(0).isDone());
            };
            pass(LEASE);

            assertThat(store.processed(process.name)).containsExactly(1L);
            assertThat(meanwhile).as(process.name).containsExactly(false);
            assertThat(stopped.get(0)).isCompleted();
        }
    }

    @Test
    @DisplayName("WR-2 what is offered when a lost completion is told is worked on, and is not lost with it")
    void completion_offersTheNextWhenLost_isNotLost() {
        one.threadsAfterNanos = LEASE.multipliedBy(3)::toNanos;
        List<CompletableFuture<Completion>> next = new ArrayList<>();
        one.runner
                .completion(A, 1)
                .thenAccept(end -> next.add(one.runner.completion(A, 2).toCompletableFuture()));
        one.before = () -> {
            throw away();
        };
        pass(LEASE.plus(SWEEP)); // two does it
        one.before = () -> {};
        two.kill();
        one.threadsAfterNanos = () -> 0;
        pass(LEASE);

        assertThat(next).hasSize(1);
        assertThat(next.get(0)).isCompletedWithValue(Completion.PROCESSED);
        assertThat(one.news).contains("lost 1", "runs 2");
    }

    @Test
    @DisplayName("WR-5 stop lets what runs end, and the rest of its line is taken up by others")
    void stop_whileRunning_endsAndLeavesTheRest() {
        taking(one, LEASE);
        for (long offset = 1; offset <= 100; offset++) {
            one.runner.offer(A, offset);
        }
        pass(Duration.ofSeconds(1));
        CompletionStage<Void> stopped = one.runner.stop();
        pass(LEASE.dividedBy(2));
        assertThat(stopped.toCompletableFuture()).isNotDone();
        pass(LEASE);

        assertThat(stopped.toCompletableFuture()).isCompleted();
        assertThat(one.news).containsExactly("runs 1");
        assertThat(two.news).hasSize(99);
        assertThat(store.processed(A)).hasSize(100);
    }

    @Test
    @DisplayName(
            "WR-2 completion ends when the offset is processed or parked, here or elsewhere; now, if it already was")
    void completion_anywhere_isTold() {
        one.task = work -> work.offset() == 2
                ? CompletableFuture.failedFuture(new PermanentFailure("no use"))
                : one.takes(Duration.ofSeconds(1), () -> {});
        CompletableFuture<Completion> first = one.runner.completion(A, 1).toCompletableFuture();
        CompletableFuture<Completion> second = one.runner.completion(A, 2).toCompletableFuture();
        CompletableFuture<Completion> elsewhere = two.runner.completion(A, 3).toCompletableFuture();
        pass(Duration.ofMillis(500));
        assertThat(first).isNotDone();
        pass(LEASE);

        assertThat(first).isCompletedWithValue(Completion.PROCESSED);
        assertThat(second).isCompletedWithValue(Completion.PARKED);
        assertThat(elsewhere).isCompletedWithValue(Completion.PROCESSED);
        assertThat(two.news).as("one had the domain").isEmpty();
        assertThat(two.runner.completion(A, 1).toCompletableFuture()).isCompletedWithValue(Completion.PROCESSED);
        assertThat(two.runner.completion(A, 2).toCompletableFuture()).isCompletedWithValue(Completion.PARKED);
        assertThat(one.runner.stats().active()).isZero();
        assertThat(two.runner.stats().active()).isZero();
    }

    @Test
    @DisplayName("WR-2 completion of what a stopped runner has left is LOST")
    void completion_stopped_isLost() {
        one.threadsAfterNanos = LEASE::toNanos;
        CompletableFuture<Completion> left = one.runner.completion(A, 1).toCompletableFuture();
        one.runner.stop();
        pass(Duration.ofSeconds(1));

        assertThat(left).isCompletedWithValue(Completion.LOST);
    }

    @Test
    @DisplayName("WR-3 PermanentFailure parks at once, RetryAfter sets the pause, and the reason is kept")
    void failures_permanentOrWithAPause_areTakenAsTold() {
        two.kill();
        one.task = work -> work.retryCount() == 0
                ? CompletableFuture.failedFuture(new RetryAfter(Duration.ofMillis(1_234)))
                : CompletableFuture.failedFuture(new PermanentFailure("no such customer"));
        one.runner.offer(A, 1);
        pass(Duration.ofSeconds(2));

        assertThat(one.news).containsExactly("runs 1", "retry of 1 in 1234 ms", "runs 1", "parked 1: no such customer");
        assertThat(store.failed(A).get(1L).reason()).contains("no such customer");
    }

    @Test
    @DisplayName(
            "WR-5 revoke gives one domain back, with what waits for a thread or its retry, and leaves the others alone")
    void revoke_notBegun_isReleased() {
        one.threadsAfterNanos = LEASE::toNanos;
        one.runner.offer(A, 1);
        one.runner.offer("other", 1);
        CompletionStage<Void> gone = one.runner.revoke(A);
        pass(SWEEP);

        assertThat(gone.toCompletableFuture()).isCompleted();
        assertThat(two.news).containsExactly("runs 1");
        assertThat(store.processed(A)).containsExactly(1L);
        assertThat(store.holder("other")).isEqualTo("one");
        pass(LEASE);
        assertThat(one.news).containsExactly("runs 1");
    }

    @Test
    @DisplayName("WR-5 revoke lets an attempt end, tells the lease, and leaves what is in line to others")
    void revoke_running_endsFirst() {
        taking(one, Duration.ofSeconds(10));
        one.runner.offer(A, 1);
        one.runner.offer(A, 2);
        pass(Duration.ofSeconds(1));
        CompletionStage<Void> gone = one.runner.revoke(A);
        CompletionStage<Void> again = one.runner.revoke(A);
        pass(Duration.ofSeconds(1));
        assertThat(gone.toCompletableFuture()).isNotDone();
        pass(Duration.ofSeconds(9));

        assertThat(gone.toCompletableFuture()).isCompleted();
        assertThat(again.toCompletableFuture()).isCompleted();
        assertThat(one.runner.revoke("unknown").toCompletableFuture()).isCompleted();
        pass(SWEEP.multipliedBy(2).plusSeconds(10));
        assertThat(store.processed(A)).containsExactlyInAnyOrder(1L, 2L);
        assertThat(one.runner.stats().active()).isZero();
    }

    /* Lets the next call happen, and loses its answer. */
    private static void loseNextAnswer(RunnerProcess process) {
        process.after = () -> {
            process.after = () -> {};
            throw away();
        };
    }

    @Test
    @DisplayName("WR-1 an outcome that is told again does not end the lease of the work that came after it")
    void outcome_toldAgain_leavesTheNextHeld() {
        taking(one, LEASE.multipliedBy(2));
        one.task = work -> {
            if (work.offset() == 1) {
                loseNextAnswer(one);
                return CompletableFuture.completedFuture(null);
            }
            return one.takes(LEASE.multipliedBy(2), () -> {});
        };
        one.runner.offer(A, 1);
        pass(Duration.ZERO);
        assertThat(one.runner.offer(A, 2).code()).isEqualTo("ACQUIRED");
        pass(LEASE.multipliedBy(3));

        assertThat(two.news).isEmpty();
        assertThat(one.lost).isEmpty();
        assertThat(store.processed(A)).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    @DisplayName(
            "WR-1 what is found to be leased already is asked for before it begins: its time may be over any moment")
    void alreadyAcquired_nearItsEnd_isProlongedFirst() {
        taking(one, Duration.ofSeconds(10));
        loseNextAnswer(one);
        assertThatThrownBy(() -> one.runner.offer(A, 1)).hasMessage("engine away");
        pass(LEASE.minusMillis(500));
        assertThat(one.runner.offer(A, 1).code()).isEqualTo("ALREADY_ACQUIRED");
        pass(LEASE);

        assertThat(one.lost).isEmpty();
        assertThat(two.news).isEmpty();
        assertThat(store.processed(A)).containsExactly(1L);
    }

    @Test
    @DisplayName("WL-23 an outcome that was taken and whose answer got lost is not lost: it is told again, and parked")
    void outcome_answerLost_isNotTakenForLost() {
        two.kill();
        one.task = work -> {
            one.after = () -> {
                one.before = () -> {
                    if (time.millis() < LEASE.toMillis()) {
                        throw away();
                    }
                };
                one.after = () -> {};
                throw away();
            };
            return CompletableFuture.failedFuture(new PermanentFailure("no use"));
        };
        CompletableFuture<Completion> end = one.runner.completion(A, 1).toCompletableFuture();
        pass(LEASE.multipliedBy(2));

        assertThat(end).isCompletedWithValue(Completion.PARKED);
        assertThat(one.parked).hasSize(1);
        assertThat(one.lost).isEmpty();
    }

    @Test
    @DisplayName("WL-33 between two offsets of a domain the engine is asked once")
    void backlog_workedOff_oneCallEach() {
        two.kill();
        taking(one, Duration.ofMillis(1));
        for (long offset = 1; offset <= 10; offset++) {
            one.runner.offer(A, offset);
        }
        int offered = one.calls;
        pass(Duration.ofMillis(20)); // no sweep comes in between

        assertThat(store.processed(A)).hasSize(10);
        assertThat(one.calls - offered).isEqualTo(10);
        assertThat(store.hasOpen(A)).isFalse();
    }

    @Test
    @DisplayName("WL-33 an end with the next one whose answer got lost is told again, and the next one runs once")
    void succeedAndTakeNext_answerLost_nextRunsOnce() {
        two.kill();
        taking(one, Duration.ofMillis(100));
        one.runner.offer(A, 1);
        one.runner.offer(A, 2);
        loseNextAnswer(one);
        pass(LEASE);

        assertThat(one.news.stream().filter(told -> told.startsWith("runs"))).containsExactly("runs 1", "runs 2");
        assertThat(one.lost).isEmpty();
        assertThat(one.runner.stats().succeeded()).isEqualTo(2);
        assertThat(store.processed(A)).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    @DisplayName("WR-5 WL-33 a runner that stops while work runs takes no next one, and another one does it")
    void stop_nextInLine_isLeft() {
        taking(one, Duration.ofMillis(100));
        one.runner.offer(A, 1);
        one.runner.offer(A, 2);
        pass(Duration.ofMillis(50));
        CompletableFuture<Void> stopped = one.runner.stop().toCompletableFuture();
        pass(Duration.ofMillis(100));

        assertThat(stopped).isDone();
        assertThat(store.processed(A)).containsExactly(1L);
        assertThat(store.story(A)).noneMatch(told -> told.contains("take next"));
        pass(SWEEP.multipliedBy(4));
        assertThat(two.news).containsExactly("runs 2");
        assertThat(store.processed(A)).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    @DisplayName("WR-5 WL-33 what was taken with the end of the one before and waits for a thread is given back")
    void stop_nextTaken_isReleased() {
        two.kill();
        taking(one, Duration.ofMillis(100));
        one.runner.offer(A, 1);
        one.runner.offer(A, 2);
        pass(Duration.ofMillis(50));
        one.threadsAfterNanos = LEASE::toNanos;
        pass(LEASE.plusMillis(100)); // the end of 1 is reported, and 2 waits for a thread
        assertThat(store.processed(A)).containsExactly(1L);
        assertThat(store.holder(A)).isEqualTo("one");
        CompletableFuture<Void> stopped = one.runner.stop().toCompletableFuture();
        pass(Duration.ofSeconds(1));

        assertThat(stopped).isDone();
        assertThat(store.holder(A)).isNull();
        assertThat(one.news).doesNotContain("runs 2");
        assertThat(store.hasOpen(A)).isTrue();
    }

    @Test
    @DisplayName("WR-2 many completions of what another process does are told soon after it is done")
    void completion_manyElsewhere_areToldTogether() {
        taking(one, Duration.ofMillis(20));
        one.runner.offer(A, 0);
        List<CompletableFuture<Completion>> ends = new ArrayList<>();
        for (long offset = 1; offset <= 50; offset++) {
            ends.add(two.runner.completion(A, offset).toCompletableFuture());
        }
        pass(Duration.ofSeconds(10));

        assertThat(ends).allMatch(CompletableFuture::isDone);
    }

    @Test
    @DisplayName("WR-2 a completion that cannot be asked for does not break that of another caller")
    void completion_secondCallerRefused_leavesTheFirst() {
        taking(one, Duration.ofSeconds(10));
        CompletableFuture<Completion> first = one.runner.completion(A, 1).toCompletableFuture();
        one.before = () -> {
            throw away();
        };
        CompletableFuture<Completion> second = one.runner.completion(A, 1).toCompletableFuture();
        one.before = () -> {};
        pass(LEASE);

        assertThat(first).isCompletedWithValue(Completion.PROCESSED);
        assertThat(second).isCompletedWithValue(Completion.PROCESSED);
    }

    @Test
    @DisplayName("WR-1 work that is taken while an old retry waits begins now")
    void offer_whileAnOldRetryWaits_beginsNow() {
        one.task = work -> work.offset() == 1
                ? CompletableFuture.failedFuture(new RetryAfter(Duration.ofHours(1)))
                : CompletableFuture.completedFuture(null);
        one.runner.offer(A, 1);
        pass(Duration.ofSeconds(1));
        one.before = () -> {
            throw away();
        };
        pass(LEASE.plus(SWEEP)); // two does the work
        one.before = () -> {};
        assertThat(one.runner.offer(A, 2).code()).isEqualTo("ACQUIRED");
        pass(Duration.ofSeconds(1));

        assertThat(one.news).contains("runs 2");
        assertThat(store.processed(A)).containsExactlyInAnyOrder(1L, 2L);
    }

    @Test
    @DisplayName("WR-6 a stage that ends twice counts once; an error without a printable message has its class's name")
    void stage_hostile_countsOnce() {
        two.kill();
        one.task = work -> {
            if (work.offset() == 2) {
                throw new Untellable();
            }
            return new TwiceTold();
        };
        one.runner.offer(A, 1);
        one.runner.offer(A, 2);
        pass(LEASE);
        CompletionStage<Void> stopped = one.runner.stop();
        pass(Duration.ofSeconds(1));

        assertThat(one.runner.stats().succeeded()).isEqualTo(1);
        assertThat(store.failed(A).get(2L).reason()).isEqualTo(Untellable.class.getName());
        assertThat(stopped.toCompletableFuture()).isCompleted();
    }

    @Test
    @DisplayName("WR-6 an error that throws when it is asked for its cause fails the attempt, thrown or in a stage")
    void stage_causeThrows_fails() {
        two.kill();
        one.task = work -> {
            if (work.offset() == 1) {
                throw new Causeless();
            }
            return CompletableFuture.failedFuture(new Causeless());
        };
        one.runner.offer(A, 1);
        one.runner.offer(A, 2);
        pass(LEASE);

        assertThat(store.failed(A)).containsOnlyKeys(1L, 2L);
    }

    private static final class Causeless extends CompletionException {
        private static final long serialVersionUID = 1L;

        Causeless() {
            super("failed", null);
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("has no cause");
        }
    }

    private static final class TwiceTold extends CompletableFuture<Void> {
        @Override
        public CompletableFuture<Void> whenComplete(BiConsumer<? super Void, ? super Throwable> told) {
            told.accept(null, null);
            told.accept(null, null);
            return this;
        }
    }

    private static final class Untellable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String toString() {
            throw new IllegalStateException("cannot be told");
        }
    }

    @Test
    @DisplayName("WR-6 leases are prolonged together: a thousand cost as many calls as one")
    void renewals_thousandDomains_areOneCall() {
        two.kill();
        one.task = work -> new CompletableFuture<>();
        for (int i = 0; i < 400; i++) {
            one.runner.offer("domain " + i, 1);
        }
        pass(Duration.ofSeconds(1));
        int calls = one.calls;
        pass(LEASE.multipliedBy(10));

        assertThat(one.lost).isEmpty();
        assertThat(one.calls - calls).as("renewals and sweeps of ten leases").isLessThan(150);
    }

    @Test
    @DisplayName("WL-32 what has failed and what is idle is deleted by itself when it has come to its age")
    void cleanUp_aged_isDeleted() {
        List<String> asked = new ArrayList<>();
        WorkLease lease = new ForwardingLease(WorkLease.inMemory(0)) {
            @Override
            public long deleteFailed(Duration olderThan) {
                asked.add("failed " + olderThan);
                return 0;
            }

            @Override
            public long deleteIdle(Duration idle) {
                asked.add("idle " + idle);
                throw away();
            }
        };
        List<Throwable> errors = new ArrayList<>();
        RunnerBuilder settings =
                (RunnerBuilder) LeaseRunner.builder(lease, work -> {}, Runnable::run, time.scheduler(Runnable::run))
                        .deleteFailedAfter(Duration.ofDays(7))
                        .deleteIdleAfter(Duration.ofMinutes(4))
                        .listener(new LeaseRunnerListener() {
                            @Override
                            public void onError(String domainId, Throwable error) {
                                errors.add(error);
                            }
                        });
        LeaseRunner runner = settings.clock(one.clock()).build();

        pass(Duration.ofSeconds(61));
        assertThat(asked).containsExactly("failed PT168H", "idle PT4M");
        assertThat(errors).hasSize(1);
        pass(Duration.ofMinutes(10));
        assertThat(asked).hasSizeBetween(20, 26);
        runner.close();
        int before = asked.size();
        pass(Duration.ofHours(1));
        assertThat(asked).hasSize(before);
    }

    @Test
    void cleanUp_ageNotPositive_isMisuse() {
        LeaseRunner.Builder builder =
                LeaseRunner.builder(WorkLease.inMemory(0), work -> {}, Runnable::run, time.scheduler(Runnable::run));
        assertThatThrownBy(() -> builder.deleteIdleAfter(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("age: PT0S (expected: positive)");
        assertThatThrownBy(() -> builder.deleteFailedAfter(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("WL-25 WR-1 a success in the task's own transaction is not repeated, and not lost when others go on")
    void attempt_succeedsInItsOwnTransaction_isNotToldAgain() {
        SharedWorkLease own = store.of("one", new SharedStore.Wire() {
            @Override
            public <T> T call(Supplier<T> operation) {
                return operation.get();
            }
        });
        one.task = work -> {
            work.succeedsWith(own.succeed(work.domainId(), work.token()));
            return one.takes(LEASE.multipliedBy(2), () -> {}); // after the commit
        };
        one.runner.offer(A, 1);
        one.runner.offer(A, 2);
        CompletableFuture<Completion> end = one.runner.completion(A, 1).toCompletableFuture();
        taking(two, Duration.ofSeconds(1));
        pass(LEASE.multipliedBy(2)); // two finds and does the second offset

        assertThat(store.processed(A)).containsExactlyInAnyOrder(1L, 2L);
        pass(LEASE.multipliedBy(3));
        assertThat(one.lost).isEmpty();
        assertThat(one.runner.stats().succeeded()).isEqualTo(1);
        assertThat(end).isCompletedWithValue(Completion.PROCESSED);
    }

    @Test
    @DisplayName("WL-25 a success that was rolled back with the task's transaction is a failed attempt")
    void attempt_rollsBack_fails() {
        two.kill();
        one.task = work -> {
            work.succeedsWith(new SucceedResult.NoBacklog());
            return CompletableFuture.failedFuture(away());
        };
        one.runner.offer(A, 1);
        pass(LEASE.multipliedBy(4));

        assertThat(store.failed(A)).containsOnlyKeys(1L);
        assertThat(one.runner.stats().failed()).isEqualTo(RETRIES + 1);
    }

    @Test
    @DisplayName("WL-25 a task that returns without having committed has failed: its lease is still there")
    void attempt_forgetsToCommit_fails() {
        two.kill();
        one.task = work -> {
            if (work.offset() == 1) {
                work.succeedsWith(new SucceedResult.NextHint(2)); // rolled back as its connection is closed
            }
            return CompletableFuture.completedFuture(null);
        };
        CompletableFuture<Completion> end = one.runner.completion(A, 1).toCompletableFuture();
        one.runner.offer(A, 2);
        pass(LEASE.multipliedBy(4));

        assertThat(end).isCompletedWithValue(Completion.PARKED);
        assertThat(store.failed(A).get(1L).reason()).contains("has not committed");
        assertThat(store.processed(A)).containsExactly(2L);
        assertThat(one.runner.stats().succeeded()).isEqualTo(1);
    }

    @Test
    @DisplayName("WR-2 a waiter for the end of parked work is told when the parking handler has returned")
    void completion_parked_comesAfterTheHandler() {
        two.kill();
        one.task = work -> CompletableFuture.failedFuture(new PermanentFailure("broken"));
        List<Boolean> toldBefore = new ArrayList<>();
        CompletableFuture<Completion> end = one.runner.completion(A, 1).toCompletableFuture();
        one.whenParked = () -> toldBefore.add(end.isDone());
        pass(LEASE);

        assertThat(toldBefore).containsExactly(false);
        assertThat(end).isCompletedWithValue(Completion.PARKED);
    }
}
