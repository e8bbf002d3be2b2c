package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClientDrainTest extends ClientTest {
    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("done");
    private static final DrainReport NOTHING = new DrainReport(0, 0);
    private static final Duration LIMIT = Duration.ofMillis(50);

    private static CompletableFuture<DrainReport> drain(Door door, Duration limit) {
        return door.client().drain(limit).toCompletableFuture();
    }

    @Test
    @DisplayName("RB-21 a drain of an idle bulkhead ends at once with nothing left")
    void drain_idle_endsAtOnce() {
        Door door = door(1);

        assertThat(drain(door, LIMIT)).isCompletedWithValue(NOTHING);
        assertThat(drain(door, Duration.ZERO)).isCompletedWithValue(NOTHING);
        assertThat(NOTHING.isComplete()).isTrue();
        assertThat(time.scheduled()).as("timers").isZero();
    }

    @Test
    @DisplayName("RB-21 from the drain on newcomers are refused for good, with a target of 0 and no retry-after")
    void submit_afterDrain_isRefused() {
        RemoteBulkhead bulkhead = bulkhead(2);
        Door door = door(bulkhead);
        Door other = new Door(builder(bulkhead).build(), door.capability());
        CompletableFuture<String> holder = door.occupy("holder");
        drain(door, LIMIT);

        for (Door each : List.of(door, other)) {
            BulkheadException refusal = refusalOf(each.submit("comes", DONE));
            assertThat(refusal.error()).isEqualTo(new BulkheadError.Draining(1, 0));
            assertThat(refusal.retryAfterMs()).isEmpty();
        }
        assertThat(bulkhead.acquire(true, "by hand", time.nowMs()))
                .isEqualTo(new AcquireResult.Refused(new BulkheadError.Draining(1, 0)));
        assertThat(bulkhead.drainingTarget()).hasValue(0);

        holder.complete("done");
        bulkhead.setMaxInFlight(5, time.nowMs());
        assertThat(refusalOf(door.submit("comes later", DONE)).error()).isEqualTo(new BulkheadError.Draining(0, 0));
    }

    @Test
    @DisplayName("RB-21 waiting requests are still admitted, and the drain ends when the last has ended")
    void drain_someWait_letsThemIn() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> waits = door.submit("waits", second);

        CompletableFuture<DrainReport> report = drain(door, LIMIT);
        assertThat(report).isNotDone();
        holder.complete("done");
        assertThat(door.inFlight()).as("let in").isEqualTo(1);
        assertThat(report).isNotDone();
        second.complete("done");

        assertThat(waits).isCompletedWithValue("done");
        assertThat(report).isCompletedWithValue(NOTHING);
    }

    @Test
    @DisplayName("RB-21 a cap raised during the drain admits waiting requests")
    void drain_capRaised_letsWaitersIn() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = door.submit("waits", DONE);
        drain(door, LIMIT);

        door.bulkhead().setMaxInFlight(2, time.nowMs());

        assertThat(waits).isCompletedWithValue("done");
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 at its time limit the drain says what is left, and stops nothing")
    void drain_timeIsUp_saysWhatIsLeft() {
        Door door = door(2);
        List<CompletableFuture<String>> holders = List.of(door.occupy("one"), door.occupy("two"));
        CompletableFuture<String> waits = door.submit("waits", DONE);

        CompletableFuture<DrainReport> report = drain(door, LIMIT);
        time.pass(LIMIT.toMillis() - 1);
        assertThat(report).isNotDone();
        time.pass(1);

        assertThat(report).isCompletedWithValue(new DrainReport(2, 1));
        assertThat(report.join().isComplete()).isFalse();
        assertThat(waits).isNotDone();
        holders.forEach(holder -> holder.complete("done"));
        assertThat(waits).isCompletedWithValue("done");
    }

    @Test
    @DisplayName("RB-21 a drain may be repeated to wait for longer; each ends by its own limit")
    void drain_again_waitsLonger() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");

        CompletableFuture<DrainReport> first = drain(door, LIMIT);
        CompletableFuture<DrainReport> now = drain(door, Duration.ZERO);
        CompletableFuture<DrainReport> longer = drain(door, LIMIT.multipliedBy(3));
        CompletableFuture<DrainReport> forEver = drain(door, Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(now).isCompletedWithValue(new DrainReport(1, 0));
        assertThat(first).isNotDone();
        time.pass(LIMIT.toMillis());
        assertThat(first).isCompletedWithValue(new DrainReport(1, 0));
        assertThat(longer).isNotDone();

        holder.complete("done");
        assertThat(longer).isCompletedWithValue(NOTHING);
        assertThat(forEver).isCompletedWithValue(NOTHING);
        assertThat(drain(door, LIMIT)).isCompletedWithValue(NOTHING);
    }

    @Test
    @DisplayName("RB-21 waits that end by time or cancel count as gone for the drain")
    void drain_waitersGiveUp_ends() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> cancelled = door.submit("cancelled", DONE);
        CompletableFuture<String> timesOut = door.submit("times out", DONE);
        CompletableFuture<DrainReport> report = drain(door, Duration.ofMillis(10 * TIMEOUT_MS));

        time.pass(TIMEOUT_MS);
        cancelled.cancel(false);
        assertThat(timesOut).isCompletedExceptionally();
        assertThat(report).isNotDone();
        holder.complete("done");

        assertThat(report).isCompletedWithValue(NOTHING);
    }

    @Test
    @DisplayName("RB-21 AB-14 a thread that sees the drain's end finds nothing in flight")
    void drain_ends_nothingInFlight() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<Integer> inFlightAtEnd =
                drain(door, LIMIT).thenApply(report -> door.inFlight() + door.waiting());

        holder.complete("done");

        assertThat(inFlightAtEnd).isCompletedWithValue(0);
    }

    @Test
    @DisplayName("RB-21 RB-15 a lowered cap and a drain at once: waiters come in below the cap, newcomers never")
    void drain_withLoweredCap_bothHold() {
        Door door = door(2);
        List<CompletableFuture<String>> holders = List.of(door.occupy("one"), door.occupy("two"));
        CompletableFuture<String> waits = door.submit("waits", DONE);
        door.bulkhead().setMaxInFlight(1, time.nowMs());
        CompletableFuture<DrainReport> report = drain(door, LIMIT);

        holders.get(0).complete("done");
        assertThat(waits).isNotDone();
        holders.get(1).complete("done");

        assertThat(waits).isCompletedWithValue("done");
        assertThat(report).isCompletedWithValue(NOTHING);
        assertThat(refusalOf(door.submit("comes", DONE)).code()).isEqualTo("RB_ERR_DRAINING");
    }

    @Test
    @DisplayName("RB-21 a negative limit, or none, is misuse: nothing is closed")
    void drain_misuse_changesNothing() {
        Door door = door(1);

        assertThatThrownBy(() -> door.client().drain(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> door.client().drain(null)).isInstanceOf(NullPointerException.class);

        assertThat(door.submit("comes", DONE)).isCompletedWithValue("done");
    }

    @Test
    @DisplayName("RB-21 nothing is left only when the last returned future has ended")
    void drain_lastFuture_hasEnded() {
        Door door = door(1);
        CompletableFuture<String> operation = new CompletableFuture<>();
        CompletableFuture<String> last = door.submit("last", operation);
        CompletableFuture<Boolean> endedByThen = door.client()
                .drain(Duration.ofDays(1))
                .thenApply(left -> last.isDone())
                .toCompletableFuture();

        operation.complete("done");

        assertThat(endedByThen).isCompletedWithValue(true);
    }

    @Test
    @DisplayName("RB-21 a drain does not wait for manual requests that have waited for too long")
    void drain_overdueByHand_isNotLeft() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        door.bulkhead().acquire(true, "by hand", time.nowMs());
        CompletableFuture<DrainReport> report =
                door.client().drain(Duration.ofMillis(TIMEOUT_MS)).toCompletableFuture();
        time.pass(TIMEOUT_MS);

        assertThat(report).isCompletedWithValue(new DrainReport(1, 0));
        holder.complete("done");
    }
}
