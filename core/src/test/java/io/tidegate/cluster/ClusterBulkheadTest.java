package io.tidegate.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.reading.Measures;
import io.tidegate.relay.ClaimBuilder;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadError;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.ClientTime;
import io.tidegate.remote.DrainReport;
import io.tidegate.remote.RemoteCapability;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a member asks the engine for, and what it does with the answers. */
class ClusterBulkheadTest {
    private static final long LEASE_MS = 1_000;

    /** How long a lease counts, shortened by the amount by which clocks may run at different speeds. */
    private static final long SURE_MS = 980;

    private final ClientTime time = new ClientTime(0);
    private final ScriptedCapStore store = new ScriptedCapStore();
    private final List<BulkheadEvent> events = new ArrayList<>();
    private final List<CompletableFuture<String>> running = new ArrayList<>();
    private ClusterBulkhead bulkhead;
    private RemoteCapability capability;
    private Runnable afterReadingTime = () -> {};

    private ClusterBulkhead.Builder builder() {
        return ClusterBulkhead.builder(store, "pay", 10, time.scheduler())
                .leaseDuration(Duration.ofMillis(LEASE_MS))
                .executor(Runnable::run)
                .eventSink(events::add)
                .ticker(this::readTime)
                .random(() -> 0);
    }

    private long readTime() {
        long nanos = TimeUnit.MILLISECONDS.toNanos(time.nowMs());
        Runnable then = afterReadingTime;
        afterReadingTime = () -> {};
        then.run();
        return nanos;
    }

    private void open(ClusterBulkhead.Builder builder) {
        bulkhead = builder.build();
        capability = bulkhead.takeCapability();
    }

    private static ClusterBulkhead.Builder queueing(ClusterBulkhead.Builder builder) {
        return builder.policy(BackpressurePolicy.queue(5, 10 * LEASE_MS));
    }

    private CompletableFuture<String> submit(String requestId) {
        return bulkhead.submit(capability, requestId, () -> {
                    CompletableFuture<String> operation = new CompletableFuture<>();
                    running.add(operation);
                    return operation;
                })
                .toCompletableFuture();
    }

    private void submit(int count) {
        IntStream.range(0, count).forEach(i -> submit("r" + i));
    }

    private void finish(int count) {
        for (int i = 0; i < count; i++) {
            running.remove(0).complete("done");
        }
    }

    private static Throwable errorOf(CompletableFuture<String> stage) {
        return stage.handle((value, error) -> error).getNow(null);
    }

    private BulkheadError refusal(CompletableFuture<String> stage) {
        return ((BulkheadException) errorOf(stage)).error();
    }

    @AfterEach
    void permitsAreConserved() {
        if (bulkhead != null) {
            finish(running.size());
            assertThat(bulkhead.standing().inFlight()).isZero();
        }
    }

    @Test
    @DisplayName("the first claim says nothing but the cap; admission asks nobody")
    void submit_withinTheSlice_isLocal() {
        store.answer(6, 6, 10);
        open(builder());

        submit(5);

        assertThat(running).hasSize(5);
        assertThat(store.claims).hasSize(1);
        assertThat(store.last())
                .usingRecursiveComparison()
                .ignoringFields("owner")
                .isEqualTo(ClaimBuilder.of("pay", "").leaseMillis(LEASE_MS).made());
        assertThat(bulkhead.standing())
                .isEqualTo(new ClusterBulkhead.Standing(10, 10, 6, 5, 0, SURE_MS, 0, Optional.empty()));
    }

    @Test
    @DisplayName("a lease is renewed after a thirtieth of it, with what is in flight and what was wanted most")
    void lease_aThirtiethIsOver_isRenewed() {
        store.answer(6, 6, 10);
        open(builder());
        submit(3);
        finish(2);

        time.pass(LEASE_MS / 30);

        assertThat(store.claims).hasSize(2);
        assertThat(store.last())
                .usingRecursiveComparison()
                .ignoringFields("owner")
                .isEqualTo(ClaimBuilder.of("pay", "")
                        .number(2)
                        .slice(6)
                        .inUse(1)
                        .need(3)
                        .leaseMillis(LEASE_MS)
                        .made());
        assertThat(store.last().owner()).isEqualTo(store.claims.get(0).owner());
        assertThat(bulkhead.standing().leaseLeftMs()).isEqualTo(SURE_MS);
    }

    @Test
    @DisplayName("OB-4 claims are timed from the first reading on, and those that fail are counted")
    void read_claims_areTold() {
        store.answer(6, 6, 10);
        open(builder());
        assertThat(Measures.of(bulkhead).times.get("claims").count()).isZero();
        store.onTheWay = () -> {
            store.onTheWay = () -> {};
            time.pass(20);
        };
        time.pass(LEASE_MS / 30);
        int asked = store.claims.size();
        Measures told = Measures.of(bulkhead);
        assertThat(told.times.get("claims").count()).isEqualTo(asked - 1);
        assertThat(told.times.get("claims").maxNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(told.counts).containsEntry("errors", 0L);

        store.away = true;
        time.pass(LEASE_MS / 2);
        Measures away = Measures.of(bulkhead);
        assertThat(away.counts).containsEntry("errors", (long) (store.claims.size() - asked));
        assertThat(away.gauges).containsEntry("failed.claims", (double) (store.claims.size() - asked));
        store.away = false;
        time.pass(LEASE_MS);
        Measures back = Measures.of(bulkhead);
        assertThat(back.counts.get("errors")).isEqualTo(away.counts.get("errors"));
        assertThat(back.gauges).containsEntry("failed.claims", 0.0);
    }

    @Test
    @DisplayName("a lease counts from before it was asked for")
    void lease_slowAnswer_countsFromTheQuestion() {
        store.answer(6, 6, 10);
        store.onTheWay = () -> time.pass(300);

        open(builder());

        assertThat(bulkhead.standing().leaseLeftMs()).isEqualTo(SURE_MS - 300);
    }

    @Test
    @DisplayName("an answer that is later than its lease admits nobody")
    void lease_answerTooLate_admitsNobody() {
        store.answer(6, 6, 10);
        store.onTheWay = () -> time.pass(SURE_MS);

        open(builder());

        assertThat(refusal(submit("a"))).isInstanceOf(BulkheadError.NoLease.class);
    }

    @Test
    @DisplayName("with the engine away all goes on until the lease ends; then nobody is admitted until it answers")
    void engine_isAway_failsClosed() {
        store.answer(6, 6, 10);
        open(builder());
        store.away = true;
        time.pass(SURE_MS - 1);
        submit("in time");
        time.pass(1);

        CompletableFuture<String> late = submit("late");

        assertThat(running).hasSize(1);
        assertThat(errorOf(late)).isInstanceOfSatisfying(BulkheadException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo("RB_ERR_NO_LEASE");
            assertThat(refusal.retryAfterMs().orElse(0)).isPositive();
            assertThat(refusal.getStackTrace()).isEmpty();
            assertThat(refusal).hasMessageContaining("away").hasCauseInstanceOf(IllegalStateException.class);
        });
        assertThat(events.get(events.size() - 1).detail()).isEqualTo("reason=RB_ERR_NO_LEASE request=late");
        assertThat(bulkhead.standing().slice()).isZero();
        assertThat(bulkhead.standing().failedClaims()).isPositive();
        store.away = false;
        time.pass(LEASE_MS / 3);
        submit("again");
        assertThat(running).hasSize(2);
        assertThat(bulkhead.standing().failedClaims()).isZero();
    }

    @Test
    @DisplayName(
            "without the engine a waiting request is not admitted when room comes too late, but when the lease is back")
    void engine_isAway_whoWaitsStays() {
        store.answer(1, 1, 10);
        open(queueing(builder()));
        submit(2);
        store.away = true;
        time.pass(SURE_MS);

        finish(1);

        assertThat(running).isEmpty();
        assertThat(bulkhead.standing().waiting()).isEqualTo(1);
        assertThat(refusal(submit("newcomer"))).isInstanceOf(BulkheadError.NoLease.class);
        store.away = false;
        time.pass(LEASE_MS / 3);
        assertThat(running).hasSize(1);
    }

    @Test
    @DisplayName("a process that stands still between admission and start does not start anything without a lease")
    void stop_beforeTheStart_startsNothing() {
        store.answer(1, 1, 10);
        open(builder());
        store.away = true;
        afterReadingTime = () -> time.pass(SURE_MS);

        CompletableFuture<String> late = submit("late");

        assertThat(running).isEmpty();
        assertThat(refusal(late)).isInstanceOf(BulkheadError.NoLease.class);
    }

    @Test
    @DisplayName("a request that has waited and was handed to the executor does not start without a lease either")
    void start_tooLate_isRefused() {
        List<Runnable> starts = new ArrayList<>();
        store.answer(1, 1, 10);
        open(queueing(builder()).executor(starts::add));
        submit("a");
        CompletableFuture<String> late = submit("late");
        finish(1);
        store.away = true;
        time.pass(SURE_MS);

        starts.forEach(Runnable::run);

        assertThat(running).isEmpty();
        assertThat(refusal(late)).isInstanceOf(BulkheadError.NoLease.class);
        assertThat(bulkhead.standing().inFlight()).isZero();
    }

    @Test
    @DisplayName("INV-RB-CAPPED what was admitted under a lease that has ended does not start under a later one")
    void start_underALaterLease_isRefused() {
        List<Runnable> starts = new ArrayList<>();
        store.answer(1, 1, 10);
        open(queueing(builder()).executor(starts::add));
        submit("a");
        CompletableFuture<String> late = submit("late");
        finish(1);
        store.away = true;
        time.pass(SURE_MS);
        store.away = false;
        time.pass(LEASE_MS / 3);
        assertThat(bulkhead.standing().leaseLeftMs()).isPositive();

        starts.forEach(Runnable::run);

        assertThat(running).isEmpty();
        assertThat(refusal(late)).isInstanceOf(BulkheadError.NoLease.class);
        submit("of this lease");
        assertThat(running).hasSize(1);
    }

    @Test
    @DisplayName("what was admitted under a lease that was renewed in time starts, however late")
    void start_leaseWasRenewed_starts() {
        List<Runnable> starts = new ArrayList<>();
        store.answer(1, 1, 10);
        open(queueing(builder()).executor(starts::add));
        submit("a");
        submit("late");
        finish(1);
        time.pass(5 * LEASE_MS);

        starts.forEach(Runnable::run);

        assertThat(running).hasSize(1);
    }

    @Test
    @DisplayName("what was admitted while the claim was on its way, and is beyond the answer, is told soon")
    void claim_admittedMeanwhile_isToldSoon() {
        store.answer(4, 4, 10);
        open(builder());
        submit(2);
        store.onTheWay = () -> {
            store.onTheWay = () -> {};
            submit("c");
            submit("d");
            store.answer(2, 2, 10);
        };
        time.pass(LEASE_MS / 3);

        time.pass(LEASE_MS / 50);

        assertThat(store.last().inUse()).isEqualTo(4);
    }

    @Test
    @DisplayName("a scheduler that throws costs nobody a permit, and is asked again when it is missed")
    void scheduler_throws_isAskedAgain() {
        AtomicBoolean broken = new AtomicBoolean();
        store.answer(1, 1, 10);
        open(ClusterBulkhead.builder(store, "pay", 10, failing(time.scheduler(), broken))
                .leaseDuration(Duration.ofMillis(LEASE_MS))
                .ticker(this::readTime));
        broken.set(true);
        time.pass(LEASE_MS / 50);

        submit("a");
        assertThat(refusal(submit("b"))).isEqualTo(new BulkheadError.AtCapacity(1, 1));
        finish(1);
        time.pass(LEASE_MS / 3);
        time.pass(LEASE_MS);
        assertThat(refusal(submit("c"))).isInstanceOf(BulkheadError.NoLease.class);
        broken.set(false);
        assertThat(refusal(submit("d"))).isInstanceOf(BulkheadError.NoLease.class);
        time.pass(LEASE_MS / 3);

        submit("e");
        assertThat(running).hasSize(1);
    }

    private static ScheduledExecutorService failing(ScheduledExecutorService scheduler, AtomicBoolean broken) {
        return (ScheduledExecutorService) Proxy.newProxyInstance(
                ClusterBulkheadTest.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, args) -> {
                    if (broken.get()) {
                        throw new IllegalStateException("broken");
                    }
                    return method.invoke(scheduler, args);
                });
    }

    @Test
    @DisplayName("an engine that is away when the member is made is asked again")
    void build_engineIsAway_goesOnAsking() {
        store.away = true;
        open(builder());
        assertThat(refusal(submit("a"))).isInstanceOf(BulkheadError.NoLease.class);
        store.away = false;
        store.answer(1, 1, 10);

        time.pass(LEASE_MS / 3);

        submit("b");
        assertThat(running).hasSize(1);
    }

    @Test
    @DisplayName("what is in flight beyond the slice after a lost lease is told, and drains")
    void lease_backWithLess_drains() {
        store.answer(4, 4, 10);
        open(builder());
        submit(4);
        store.away = true;
        time.pass(2 * LEASE_MS);
        store.away = false;
        store.answer(2, 2, 10);

        time.pass(LEASE_MS / 3);

        assertThat(store.last().inUse()).isEqualTo(4);
        assertThat(refusal(submit("a"))).isEqualTo(new BulkheadError.Draining(4, 2));
    }

    @Test
    @DisplayName("a slice of 0 refuses as one that is full, or queues, and lets in when it grows")
    void slice_ofZero_isFull() {
        store.answer(0, 1, 10);
        open(builder());
        assertThat(refusal(submit("a"))).isEqualTo(new BulkheadError.AtCapacity(0, 0));
        bulkhead.close();

        open(queueing(builder()));
        CompletableFuture<String> waiting = submit("a");
        assertThat(waiting).isNotDone();
        store.answer(1, 1, 10);
        time.pass(LEASE_MS / 3);
        assertThat(running).hasSize(1);
    }

    @Test
    @DisplayName("RB-14, RB-15 a smaller goal drains, and each claim says what is left")
    void goal_belowTheSlice_drains() {
        store.answer(4, 4, 10);
        open(builder());
        submit(4);
        store.answer(4, 2, 4);
        time.pass(LEASE_MS / 3);

        assertThat(refusal(submit("a"))).isEqualTo(new BulkheadError.Draining(4, 2));
        store.answer(2, 2, 4);
        finish(1);
        time.pass(LEASE_MS / 10);
        assertThat(store.last().slice()).isEqualTo(2);
        assertThat(store.last().inUse()).isEqualTo(3);
        finish(1);
        assertThat(refusal(submit("b"))).isEqualTo(new BulkheadError.Draining(2, 2));
        finish(1);
        submit("c");
        assertThat(running).hasSize(2);
    }

    @Test
    @DisplayName("under the policy to queue a slice that becomes smaller refuses nobody")
    void goal_belowTheSliceQueueing_waits() {
        store.answer(4, 4, 10);
        open(queueing(builder()));
        submit(4);
        store.answer(4, 2, 4);
        time.pass(LEASE_MS / 3);
        assertThat(bulkhead.standing().slice()).isEqualTo(2);

        CompletableFuture<String> waiting = submit("a");

        assertThat(waiting).isNotDone();
        assertThat(events.get(events.size() - 1).detail()).isEqualTo("position=1 request=a");
        finish(2);
        assertThat(running).as("two are as many as there may be").hasSize(2);
        finish(1);
        assertThat(running).hasSize(2);
    }

    @Test
    @DisplayName("what others need goes back at once as far as it is not in use")
    void goal_belowAnIdleSlice_goesBackAtOnce() {
        store.answer(8, 8, 10);
        open(builder());
        store.answer(8, 3, 10);
        store.onTheWay = () -> store.answer(3, 3, 10);

        time.pass(LEASE_MS / 30);
        store.onTheWay = () -> {};
        time.pass(0);

        assertThat(store.last().slice()).isLessThanOrEqualTo(8);
        assertThat(bulkhead.standing().slice()).isEqualTo(3);
    }

    @Test
    @DisplayName("a member without room asks for more soon, and backs off after fruitless claims")
    void submit_noRoom_asksSoon() {
        store.answer(1, 1, 10);
        open(builder());
        submit(3);
        time.pass(LEASE_MS / 50);

        assertThat(store.last().need()).isEqualTo(3);
        store.claims.clear();
        for (int i = 0; i < 100; i++) {
            submit("again " + i);
            time.pass(LEASE_MS / 10);
        }
        assertThat(store.claims).hasSizeBetween(200, 320);
        store.answer(9, 9, 10);
        time.pass(LEASE_MS / 10);
        submit(8);
        assertThat(running).hasSize(9);
    }

    @Test
    @DisplayName("a member that has the whole cap asks for no more")
    void submit_hasTheCap_doesNotAsk() {
        store.answer(2, 2, 2);
        open(builder());
        submit(5);

        time.pass(LEASE_MS / 30 - 1);

        assertThat(store.claims).hasSize(1);
    }

    @Test
    @DisplayName("need rises at once and fades slowly while there is head-room")
    void need_whenCalm_fades() {
        store.answer(9, 9, 10);
        open(builder());
        submit(8);
        time.pass(LEASE_MS / 3);
        finish(8);
        time.pass(2 * LEASE_MS);
        List<Integer> needs =
                store.claims.stream().map(CapStore.Claim::need).distinct().toList();
        time.pass(5 * LEASE_MS);

        assertThat(needs).startsWith(0, 8, 6, 4);
        assertThat(store.last().need()).isZero();
    }

    @Test
    @DisplayName("need that is over has faded after half of a lease when others lack something")
    void need_whenCalmAndOthersLack_fadesSoon() {
        store.answer(8, 8, 10);
        open(builder());
        submit(8);
        time.pass(LEASE_MS / 3);
        store.answerByNeed(8);
        finish(8);

        time.pass(LEASE_MS / 2);

        assertThat(store.last().need()).isLessThanOrEqualTo(2);
    }

    @Test
    @DisplayName("a member with little of a great cap looks as often as the lease needs, others ten times as often")
    void lease_littleOfTheCap_isRenewedLessOften() {
        store.answer(10, 10, 10_000);
        open(builder());
        time.pass(LEASE_MS);
        store.claims.clear();

        time.pass(10 * LEASE_MS);

        assertThat(store.claims).hasSizeBetween(30, 40);
        assertThat(bulkhead.standing().leaseLeftMs()).isPositive();
        store.answer(100, 100, 10_000);
        time.pass(LEASE_MS);
        store.claims.clear();
        time.pass(10 * LEASE_MS);
        assertThat(store.claims).hasSizeBetween(300, 400);
    }

    @Test
    @DisplayName("a member that holds little asks again in time when the engine did not answer")
    void lease_littleOfTheCapAndEngineAway_isTriedSooner() {
        store.answer(10, 10, 10_000);
        open(builder());
        time.pass(2 * LEASE_MS);
        store.away = true;
        store.claims.clear();

        time.pass(LEASE_MS);

        assertThat(store.claims).hasSizeBetween(6, 20);
    }

    @Test
    @DisplayName("the cap of all is set at the engine, and what comes of it is asked for at once")
    void setMaxInFlight_any_asksTheEngine() {
        store.answer(5, 5, 10);
        open(builder());
        store.answer(5, 3, 6);

        bulkhead.setMaxInFlight(6);
        time.pass(0);

        assertThat(store.others).containsExactly("set pay to 6");
        assertThat(bulkhead.standing().cap()).isEqualTo(6);
        assertThat(bulkhead.standing().slice()).isEqualTo(3);
        assertThatThrownBy(() -> bulkhead.setMaxInFlight(0))
                .isInstanceOfSatisfying(
                        BulkheadException.class,
                        thrown -> assertThat(thrown.code()).isEqualTo("RB_ERR_INVALID_CONFIG"));
        assertThat(store.others).hasSize(1);
    }

    @Test
    @DisplayName("closing with nothing in flight gives the slice back at once, and asks for nothing any more")
    void close_idle_leaves() {
        store.answer(5, 5, 10);
        open(builder());

        bulkhead.close();
        bulkhead.close();
        time.pass(10 * LEASE_MS);

        assertThat(store.others).containsExactly("leave pay");
        assertThat(store.claims).hasSize(1);
        assertThat(refusal(submit("late"))).isEqualTo(new BulkheadError.Draining(0, 0));
    }

    @Test
    @DisplayName("closing with something in flight keeps that much, and leaves when it has ended")
    void close_busy_leavesAfterwards() {
        store.answer(5, 5, 10);
        open(builder());
        submit(3);
        store.answerByNeed(10);

        bulkhead.close();

        assertThat(store.last().need()).isEqualTo(3);
        assertThat(store.last().exact()).isTrue();
        finish(2);
        time.pass(LEASE_MS / 10);
        assertThat(store.last().inUse()).isEqualTo(1);
        assertThat(store.others).isEmpty();
        finish(1);
        time.pass(LEASE_MS / 10);
        assertThat(store.others).containsExactly("leave pay");
    }

    @Test
    @DisplayName("a drain ends when the engine has the slice back, not before")
    void drain_idle_endsWhenTheSliceIsBack() {
        store.answer(5, 5, 10);
        open(builder());
        submit(1);
        CompletableFuture<DrainReport> drained =
                bulkhead.drain(Duration.ofMillis(LEASE_MS)).toCompletableFuture();
        time.pass(0);
        store.onTheWay = () -> assertThat(drained).isNotDone();

        finish(1);
        assertThat(drained).isNotDone();
        assertThat(store.others).isEmpty();
        time.pass(0);

        assertThat(store.others).containsExactly("leave pay");
        assertThat(drained).isCompletedWithValue(new DrainReport(0, 0));
    }

    @Test
    @DisplayName("a drain ends with its time, or with the lease, if the engine does not take the slice back")
    void drain_engineIsAway_ends() {
        store.answer(5, 5, 10);
        open(builder());
        store.away = true;

        CompletableFuture<DrainReport> hasty =
                bulkhead.drain(Duration.ofMillis(100)).toCompletableFuture();
        CompletableFuture<DrainReport> patient =
                bulkhead.drain(Duration.ofMillis(10 * LEASE_MS)).toCompletableFuture();
        time.pass(99);
        assertThat(hasty).isNotDone();
        time.pass(1);
        assertThat(hasty).isCompleted();
        assertThat(patient).isNotDone();
        time.pass(LEASE_MS);

        assertThat(patient).isCompletedWithValue(new DrainReport(0, 0));
    }

    @Test
    @DisplayName("why a claim failed is told to a listener, and kept until one succeeds")
    void claim_fails_causeIsTold() {
        List<Throwable> causes = new ArrayList<>();
        store.answer(5, 5, 10);
        store.away = true;
        open(builder().listener(new ClusterBulkhead.Listener() {
            @Override
            public void claimFailed(Throwable cause) {
                causes.add(cause);
                throw new IllegalStateException("a listener that throws");
            }
        }));

        assertThat(causes).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(bulkhead.standing().lastFailure()).containsSame(causes.get(0));
        assertThat(errorOf(submit("a"))).hasCause(causes.get(0)).hasMessageContaining("away");
        store.away = false;
        time.pass(LEASE_MS / 3);
        assertThat(bulkhead.standing().lastFailure()).isEmpty();
    }

    @Test
    @DisplayName("a cap that is not the configured one is told once, and again when it changes")
    void cap_differsFromTheConfigured_isTold() {
        List<String> told = new ArrayList<>();
        store.answer(5, 5, 10);
        ClusterBulkhead.Listener listener = new ClusterBulkhead.Listener() {
            @Override
            public void capDiffers(int configured, int shared) {
                told.add(configured + " is " + shared);
            }
        };
        open(builder().listener(listener));
        assertThat(told).isEmpty();

        store.answer(5, 5, 60);
        time.pass(LEASE_MS);
        assertThat(told).containsExactly("10 is 60");
        assertThat(bulkhead.standing().cap()).isEqualTo(60);
        assertThat(bulkhead.standing().configuredCap()).isEqualTo(10);
        store.answer(5, 5, 10);
        time.pass(LEASE_MS);
        store.answer(5, 5, 60);
        time.pass(LEASE_MS);
        assertThat(told).hasSize(2);
    }

    @Test
    @DisplayName("RB-16, RB-17 a member has a log and a p99 of its own")
    void events_any_areKept() {
        store.answer(5, 5, 10);
        open(builder().eventCapacity(3).p99TargetMs(20).latencyWindow(1));
        submit(1);
        time.pass(25);
        finish(1);

        assertThat(bulkhead.events()).isEqualTo(events.subList(events.size() - 3, events.size()));
        assertThat(bulkhead.droppedEvents()).isEqualTo(events.size() - 3);
        assertThat(bulkhead.p99ForegroundLatencyMs()).hasValue(25);
        assertThat(bulkhead.latencyWithinTarget()).isFalse();
    }

    @Test
    @DisplayName("claims are spread, so that members that began together do not go on together")
    void claim_next_isSpread() {
        store.answer(5, 5, 10);
        open(builder().random(() -> Long.MAX_VALUE));
        long latest = LEASE_MS / 30;
        time.pass(latest - 1);

        assertThat(store.claims).hasSizeGreaterThan(1);
    }

    @Test
    @DisplayName("an engine that is away at the end is asked until the lease has ended anyway")
    void close_engineIsAway_givesUpWithTheLease() {
        store.answer(5, 5, 10);
        open(builder());
        store.away = true;

        bulkhead.close();
        time.pass(2 * LEASE_MS);
        int asked = store.others.size();
        time.pass(10 * LEASE_MS);

        assertThat(asked).isGreaterThan(2);
        assertThat(store.others).hasSize(asked);
    }

    @Test
    @DisplayName("without a scheduler the lease ends, and nobody else notices")
    void scheduler_isShutDown_leaseEnds() {
        ScheduledExecutorService stopped = Executors.newSingleThreadScheduledExecutor();
        stopped.shutdownNow();
        store.answer(1, 1, 10);
        bulkhead = ClusterBulkhead.builder(store, "pay", 10, stopped)
                .ticker(() -> TimeUnit.MILLISECONDS.toNanos(time.nowMs()))
                .build();
        capability = bulkhead.takeCapability();

        submit(1);
        assertThat(refusal(submit("b"))).isEqualTo(new BulkheadError.AtCapacity(1, 1));
        time.pass(ClusterBulkhead.DEFAULT_LEASE_SECONDS * 1_000L);
        assertThat(refusal(submit("c"))).isInstanceOf(BulkheadError.NoLease.class);
    }

    @Test
    @DisplayName("RB-4 without the capability nobody is admitted")
    void submit_withoutCapability_isRefused() {
        store.answer(5, 5, 10);
        open(builder());
        capability = null;

        assertThat(refusal(submit("a"))).isEqualTo(new BulkheadError.RemoteCapRequired());
    }

    @Test
    @DisplayName("each member has a name of its own, also two of one builder")
    void build_twice_areTwoMembers() {
        store.answer(1, 1, 10);
        ClusterBulkhead.Builder builder = builder();

        builder.build();
        builder.build();

        assertThat(store.claims.stream().map(CapStore.Claim::owner).distinct()).hasSize(2);
    }

    @Test
    @DisplayName("RB-1 bad settings are refused at once")
    void builder_badSettings_areRefused() {
        assertThatThrownBy(() -> ClusterBulkhead.builder(store, "pay", 0, time.scheduler()))
                .hasMessage("RB_ERR_INVALID_CONFIG: maxInFlight: 0 (expected: >= 1)");
        assertThatThrownBy(() -> ClusterBulkhead.builder(store, " ", 1, time.scheduler()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> builder().leaseDuration(Duration.ofMillis(99)))
                .hasMessage("RB_ERR_INVALID_CONFIG: leaseDuration: PT0.099S (expected: PT0.1S to PT24H)");
        assertThatThrownBy(() -> builder().policy(BackpressurePolicy.queue(0, 1)))
                .isInstanceOf(BulkheadException.class);
        assertThat(store.claims).isEmpty();
    }

    // Strict

    @Test
    @DisplayName("strict: each permit is asked for with a request, and given back when it has ended")
    void strict_any_asksForEachPermit() {
        store.answerByNeed(2);
        open(builder().strict());

        submit("a");
        assertThat(running).isEmpty();
        time.pass(0);
        assertThat(running).hasSize(1);
        assertThat(store.last().need()).isEqualTo(1);
        submit("b");
        time.pass(0);
        assertThat(store.last().need()).isEqualTo(2);
        finish(1);
        time.pass(0);

        assertThat(store.last().slice()).isEqualTo(1);
        assertThat(store.last().need()).isEqualTo(1);
        assertThat(bulkhead.standing().slice()).isEqualTo(1);
    }

    @Test
    @DisplayName("strict: requests that come while the engine is asked go with the next question, all at once")
    void strict_several_askTogether() {
        store.answerByNeed(10);
        open(builder().strict());

        submit(5);
        time.pass(0);

        assertThat(running).hasSize(5);
        assertThat(store.claims).hasSize(2);
    }

    @Test
    @DisplayName("strict: to reject is to wait for one answer")
    void strict_rejecting_answersWithTheEngine() {
        store.answerByNeed(1);
        open(builder().strict());
        submit("a");
        time.pass(0);

        CompletableFuture<String> full = submit("b");
        assertThat(full).isNotDone();
        time.pass(0);

        assertThat(refusal(full)).isEqualTo(new BulkheadError.AtCapacity(10, 1));
        time.pass(0);
        assertThat(store.last().need()).as("it does not need it any more").isEqualTo(1);
        store.away = true;
        time.pass(1);
        CompletableFuture<String> away = submit("c");
        time.pass(0);
        assertThat(refusal(away)).isInstanceOf(BulkheadError.NoLease.class);
    }

    @Test
    @DisplayName("strict: the member keeps asking for a waiting request until the engine has a permit for it")
    void strict_queueing_waitsForTheEngine() {
        store.answerByNeed(1);
        open(queueing(builder().strict()));
        submit(2);
        time.pass(LEASE_MS / 2);
        assertThat(running).hasSize(1);

        store.answerByNeed(2);
        time.pass(LEASE_MS / 2);

        assertThat(running).hasSize(2);
    }

    @Test
    @DisplayName("strict: a permit for one that was cancelled while it was asked for goes back at once")
    void strict_cancelledMeanwhile_permitGoesBack() {
        store.answerByNeed(10);
        open(queueing(builder().strict()));
        CompletableFuture<String> fickle = submit("fickle");
        store.onTheWay = () -> {
            store.onTheWay = () -> {};
            fickle.cancel(false);
        };

        time.pass(0);

        assertThat(running).isEmpty();
        assertThat(store.last().slice()).isZero();
        assertThat(store.last().need()).isZero();
        assertThat(store.claims).hasSize(3);
    }

    @Test
    @DisplayName("strict: a request that comes while others wait causes no claim of its own")
    void strict_moreCome_doNotAskAgain() {
        store.answerByNeed(1);
        open(queueing(builder().strict()));
        submit(2);
        time.pass(0);
        int asked = store.claims.size();

        submit("c");
        submit("d");
        time.pass(0);

        assertThat(store.claims).hasSize(asked);
    }

    @Test
    @DisplayName("strict: a request that comes during a claim is not refused by an answer for others")
    void strict_cameMeanwhile_isAskedForNext() {
        store.answerByNeed(10);
        open(builder().strict());
        submit("a");
        store.onTheWay = () -> {
            store.onTheWay = () -> {};
            submit("b");
        };

        time.pass(0);

        assertThat(running).hasSize(2);
    }

    @Test
    @DisplayName("strict: an answer that is later than its lease does not say that the cap is in use")
    void strict_answerTooLate_isNoLease() {
        store.answerByNeed(10);
        open(builder().strict());
        CompletableFuture<String> late = submit("late");
        store.onTheWay = () -> {
            store.onTheWay = () -> {};
            time.pass(SURE_MS);
        };

        time.pass(0);

        assertThat(refusal(late)).isInstanceOf(BulkheadError.NoLease.class);
    }

    @Test
    @DisplayName("strict: without a lease requests are refused, whatever the policy")
    void strict_engineIsAway_failsClosed() {
        store.answerByNeed(10);
        open(queueing(builder().strict()));
        store.away = true;
        time.pass(SURE_MS);

        assertThat(refusal(submit("late"))).isInstanceOf(BulkheadError.NoLease.class);

        store.away = false;
        time.pass(LEASE_MS / 30);
        submit("again");
        time.pass(0);
        assertThat(running).hasSize(1);
    }

    @Test
    @DisplayName("a listener that is told of a refusal and blocks does not keep the lease from being renewed")
    void refusal_toldToOneWhoTakesLong_claimsGoOn() {
        store.answerByNeed(1);
        open(builder().strict());
        submit("a");
        time.pass(0);
        List<Long> leaseLeftMs = new ArrayList<>();
        submit("b").whenComplete((value, error) -> {
            time.pass(10 * LEASE_MS);
            leaseLeftMs.add(bulkhead.standing().leaseLeftMs());
        });

        time.pass(0);

        assertThat(leaseLeftMs).singleElement().matches(left -> left > 0);
    }
}
