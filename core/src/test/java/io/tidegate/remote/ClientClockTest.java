package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.stage.PendingNotifications;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ClientClockTest extends ClientTest {
    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("done");

    private Door door(LongSupplier clock, PermitLifetime lifetime) {
        return Door.to(
                builder(bulkhead(1)).clock(clock).permitLifetime(lifetime).build());
    }

    @ParameterizedTest
    @EnumSource(PermitLifetime.class)
    @DisplayName("RB-21 AB-12 a clock that throws costs no permit: no time has passed")
    void clock_throws_permitComesBack(PermitLifetime lifetime) {
        boolean[] broken = {false};
        Door door = door(
                () -> {
                    if (broken[0]) {
                        throw new StackOverflowError();
                    }
                    return time.nowMs();
                },
                lifetime);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = door.submit("waits", DONE);
        CompletableFuture<String> cancelled = door.submit("cancelled", DONE);

        broken[0] = true;
        time.pass(TIMEOUT_MS / 2);
        cancelled.cancel(false);
        holder.complete("done");

        assertThat(waits).isCompletedWithValue("done");
        assertThat(door.submit("next", DONE)).isCompletedWithValue("done");
        assertThat(door.bulkhead().events())
                .allSatisfy(event -> assertThat(event.nowMs()).isEqualTo(START_MS));
    }

    @Test
    @DisplayName("RB-21 a negative time is taken as no time having passed, from the first read on")
    void clock_negative_standsStill() {
        AtomicLong now = new AtomicLong(-5);
        Door door = door(now::get, PermitLifetime.RETURNED_STAGE);
        CompletableFuture<String> holder = door.occupy("holder");
        now.set(70);
        CompletableFuture<String> waits = door.submit("waits", DONE);
        now.set(Long.MIN_VALUE);
        holder.complete("done");

        assertThat(waits).isCompletedWithValue("done");
        assertThat(door.bulkhead().events().get(0).nowMs()).isZero();
        assertThat(door.bulkhead().latencySamples())
                .extracting(ForegroundLatencySample::latencyMs)
                .containsExactly(70L, 0L);
    }

    @Test
    @DisplayName("RB-21 RB-10 a clock that jumps back only makes waits longer; latency is never negative")
    void clock_jumpsBack_waitsLonger() {
        AtomicLong offset = new AtomicLong();
        Door door = door(() -> time.nowMs() + offset.get(), PermitLifetime.RETURNED_STAGE);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = door.submit("waits", DONE);

        offset.set(-START_MS);
        time.pass(START_MS + TIMEOUT_MS - 1);
        assertThat(waits).isNotDone();
        time.pass(TIMEOUT_MS); // looks come at least once in a time-out
        assertThat(refusalOf(waits).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");

        offset.set(-2 * START_MS);
        holder.complete("done");
        assertThat(door.bulkhead().latencySamples()).containsExactly(new ForegroundLatencySample(1, 0));
    }

    @Test
    @DisplayName("RB-21 RB-10 a clock that jumps ahead ends waits at the next look or submit, not before")
    void clock_jumpsAhead_endsWaits() {
        AtomicLong offset = new AtomicLong();
        Door door = door(() -> time.nowMs() + offset.get(), PermitLifetime.RETURNED_STAGE);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = door.submit("waits", DONE);

        offset.set(Long.MAX_VALUE / 2);
        assertThat(waits).isNotDone();
        CompletableFuture<String> other = door.submit("other", DONE);

        assertThat(refusalOf(waits).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        assertThat(other).isNotDone();
        offset.set(0);
        holder.complete("done");
        assertThat(other).isCompletedWithValue("done");
    }

    @Test
    @DisplayName("RB-21 a scheduler that was shut down makes neither waits nor drains endless")
    void scheduler_shutDown_waitsEnd() {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        scheduler.shutdown();
        RemoteBulkhead bulkhead = bulkhead(1, BackpressurePolicy.queue(DEPTH, 10));
        Door door = Door.to(
                RemoteBulkheadClient.builder(bulkhead).scheduler(scheduler).build());
        CompletableFuture<String> holder = door.occupy("holder");

        CompletableFuture<String> waits = door.submit("waits", DONE);
        CompletableFuture<DrainReport> report =
                door.client().drain(Duration.ofMillis(10)).toCompletableFuture();

        assertThat(waits.handle((value, error) -> error)
                        .orTimeout(10, TimeUnit.MINUTES)
                        .join())
                .isInstanceOf(BulkheadException.class);
        assertThat(report.orTimeout(10, TimeUnit.MINUTES).join().inFlight()).isEqualTo(1);
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 a scheduler that is shut down with a look under way does not make later waits endless")
    void scheduler_shutDownLater_laterWaitsEnd() {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        RemoteBulkhead bulkhead = bulkhead(1, BackpressurePolicy.queue(DEPTH, 20));
        Door door = Door.to(
                RemoteBulkheadClient.builder(bulkhead).scheduler(scheduler).build());
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> first = door.submit("first", DONE);
        scheduler.shutdown();

        CompletableFuture<String> second = door.submit("second", DONE);

        for (CompletableFuture<String> wait : List.of(first, second)) {
            assertThat(wait.handle((value, error) -> error)
                            .orTimeout(10, TimeUnit.MINUTES)
                            .join())
                    .isInstanceOf(BulkheadException.class);
        }
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 a scheduler that forgets what it was given is not relied upon for long")
    void scheduler_forgets_laterWaitsEnd() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> first = door.submit("first", DONE);
        time.forget();
        time.pass(TIMEOUT_MS + 1_000);

        CompletableFuture<String> second = door.submit("second", DONE);

        assertThat(refusalOf(first).error()).isEqualTo(new BulkheadError.QueueTimeout("first"));
        time.pass(TIMEOUT_MS);
        assertThat(refusalOf(second).error()).isEqualTo(new BulkheadError.QueueTimeout("second"));
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 by default time is the time of day, and waits end by themselves")
    void defaults_waitEnds() {
        RemoteBulkhead bulkhead = bulkhead(1, BackpressurePolicy.queue(DEPTH, 5));
        long beforeMs = System.currentTimeMillis();
        Door door = Door.to(RemoteBulkheadClient.of(bulkhead));
        CompletableFuture<String> holder = door.occupy("holder");

        CompletableFuture<String> waits = door.submit("waits", DONE);

        assertThat(waits.handle((value, error) -> error)
                        .orTimeout(10, TimeUnit.MINUTES)
                        .join())
                .isInstanceOf(BulkheadException.class);
        assertThat(bulkhead.events().get(0).nowMs()).isBetween(beforeMs - 1_000, beforeMs + 600_000);
        holder.complete("done");
    }

    /** A client's time for which there is sometimes no memory. */
    private final class Forgetful implements ClientBuilder.Timer {
        private final Set<Integer> unscheduled;
        private Runnable meanwhile = () -> {};
        private int calls;

        Forgetful(Integer... unscheduled) {
            this.unscheduled = Set.of(unscheduled);
        }

        @Override
        public void schedule(Runnable task, long delayMs) {
            if (unscheduled.contains(++calls)) {
                Runnable once = meanwhile;
                meanwhile = () -> {};
                once.run();
                throw new OutOfMemoryError("none for a timer");
            }
            var unused = time.scheduler().schedule(task, delayMs, TimeUnit.MILLISECONDS);
        }

        @Override
        public PendingNotifications end(Runnable wait) {
            return PendingNotifications.ofEnd(wait);
        }

        Door door() {
            ClientBuilder settings = (ClientBuilder) builder(bulkhead(1));
            settings.timer = this;
            return Door.to(settings.build());
        }
    }

    @Test
    @DisplayName("RB-21 a request whose time cannot be looked at is refused, and the next one's is looked at")
    void look_cannotBeScheduled_refusedAndNextWaitEnds() {
        Door door = new Forgetful(1).door();
        CompletableFuture<String> holder = door.occupy("holder");

        CompletableFuture<String> unlookedAt = door.submit("unlooked at", DONE);
        assertThat(errorOf(unlookedAt)).isInstanceOf(OutOfMemoryError.class);
        assertThat(door.waiting()).isZero();

        CompletableFuture<String> next = door.submit("next", DONE);
        time.pass(TIMEOUT_MS);
        assertThat(refusalOf(next).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 nobody relies on a look that is about to be scheduled, and then cannot be")
    void look_cannotBeScheduled_waitThatCameMeanwhileEnds() {
        Forgetful timer = new Forgetful(1);
        Door door = timer.door();
        CompletableFuture<String> holder = door.occupy("holder");
        List<CompletableFuture<String>> meanwhile = new ArrayList<>();
        timer.meanwhile = () -> meanwhile.add(door.submit("meanwhile", DONE));

        CompletableFuture<String> unlookedAt = door.submit("unlooked at", DONE);
        assertThat(errorOf(unlookedAt)).isInstanceOf(OutOfMemoryError.class);
        time.pass(TIMEOUT_MS);
        assertThat(refusalOf(meanwhile.get(0)).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 a look that cannot schedule the next one tries again until it can")
    void look_nextCannotBeScheduled_laterWaitEnds() {
        Door door = new Forgetful(2, 3).door();
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> first = door.submit("first", DONE);
        time.pass(TIMEOUT_MS / 2);
        CompletableFuture<String> second = door.submit("second", DONE);

        time.pass(TIMEOUT_MS);
        assertThat(refusalOf(first).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        assertThat(refusalOf(second).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        holder.complete("done");
    }
}
