package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.bulkhead.PermitLifetime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ClientQueueTest extends ClientTest {
    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("done");

    private final List<String> started = new ArrayList<>();

    private CompletableFuture<String> submit(Door door, String requestId, CompletableFuture<String> operation) {
        return door.submit(requestId, () -> {
            started.add(requestId);
            return operation;
        });
    }

    @Test
    @DisplayName("RB-21 RB-7 waiting requests are woken in order, one for each returned permit")
    void release_manyWait_wakesInOrder() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<String> returnedFirst = submit(door, "first", first);
        CompletableFuture<String> returnedSecond = submit(door, "second", second);
        assertThat(started).isEmpty();
        assertThat(door.waiting()).isEqualTo(2);

        holder.complete("done");
        assertThat(started).containsExactly("first");
        assertThat(returnedFirst).isNotDone();
        assertThat(door.inFlight()).isEqualTo(1);

        first.complete("one");
        assertThat(started).containsExactly("first", "second");
        second.complete("two");
        assertThat(returnedFirst).isCompletedWithValue("one");
        assertThat(returnedSecond).isCompletedWithValue("two");
    }

    @Test
    @DisplayName("RB-21 nothing polls: one timer serves all waiting requests, and a wake needs none")
    void waiting_many_needsOneTimer() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        for (int i = 0; i < DEPTH; i++) {
            submit(door, "waiter " + i, DONE);
        }

        assertThat(time.scheduled()).isEqualTo(1);
        holder.complete("done");
        assertThat(started).hasSize(DEPTH);
        assertThat(time.scheduled()).isEqualTo(1);
        time.pass(10 * TIMEOUT_MS);
        assertThat(time.scheduled()).as("with nobody there, nobody looks again").isEqualTo(1);
    }

    @Test
    @DisplayName("RB-21 nobody polls: brief waits, again and again, cost one look in a time-out at most")
    void waiting_brieflyAndOften_looksOnceInATimeout() {
        Door door = door(1);
        int timeouts = 10;
        for (int i = 0; i < 10 * timeouts; i++) {
            CompletableFuture<String> holder = door.occupy("holder");
            CompletableFuture<String> waits = submit(door, "waits", DONE);
            holder.complete("done");
            assertThat(waits).isCompletedWithValue("done");
            time.pass(TIMEOUT_MS / 10);
        }

        assertThat(time.scheduled()).isLessThanOrEqualTo(timeouts + 1);
    }

    @Test
    @DisplayName("RB-21 RB-7 a full queue refuses at once, with code and retry-after")
    void submit_queueFull_isRefused() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        for (int i = 0; i < DEPTH; i++) {
            submit(door, "waiter " + i, DONE);
        }

        BulkheadException refusal = refusalOf(submit(door, "one too many", DONE));

        assertThat(refusal.error()).isEqualTo(new BulkheadError.QueueSaturated(DEPTH));
        assertThat(refusal.retryAfterMs())
                .as("what stands in line, at the pace aimed at")
                .hasValue((1 + DEPTH) * door.bulkhead().p99TargetMs());
        holder.complete("done");
        assertThat(started).hasSize(DEPTH).doesNotContain("one too many");
    }

    @Test
    @DisplayName("RB-21 RB-10 a wait ends at its time, not a millisecond sooner or later")
    void waiting_timeIsUp_fails() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = submit(door, "waits", DONE);

        time.pass(TIMEOUT_MS - 1);
        assertThat(waits).isNotDone();
        assertThat(door.waiting()).isEqualTo(1);
        time.pass(1);

        BulkheadException refusal = refusalOf(waits);
        assertThat(refusal.error()).isEqualTo(new BulkheadError.QueueTimeout("waits"));
        assertThat(refusal.retryAfterMs()).isPresent();
        assertThat(door.waiting()).isZero();
        holder.complete("done");
        assertThat(started).isEmpty();
    }

    @Test
    @DisplayName("RB-21 RB-10 each wait ends at its own time")
    void waiting_severalTimes_eachFailsAtItsOwn() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        List<CompletableFuture<String>> waits = new ArrayList<>();
        for (int i = 0; i < DEPTH; i++) {
            waits.add(submit(door, "waiter " + i, DONE));
            time.pass(10);
        }

        time.pass(TIMEOUT_MS - 10 * DEPTH - 1);
        for (int i = 0; i < DEPTH; i++) {
            assertThat(waits.get(i)).as("waiter %s just before its time", i).isNotDone();
            time.pass(1);
            assertThat(refusalOf(waits.get(i)).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
            time.pass(9);
        }
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 RB-10 a wait that begins after earlier ones were over ends at its time, too")
    void waiting_afterQuietTimes_failsAtItsTime() {
        Door door = door(1);
        submit(door, "before", DONE);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> woken = submit(door, "woken", DONE);
        time.pass(TIMEOUT_MS / 2);
        holder.complete("done");
        assertThat(woken).isCompletedWithValue("done");

        CompletableFuture<String> again = door.occupy("again");
        CompletableFuture<String> waits = submit(door, "waits", DONE);
        time.pass(TIMEOUT_MS - 1);
        assertThat(waits).isNotDone();
        time.pass(1);
        assertThat(refusalOf(waits).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        again.complete("done");
    }

    @Test
    @DisplayName(
            "RB-21 RB-10 a request that comes while a wait is being ended does not put off the end of the next wait")
    void waiting_submitDuringTimeout_nextIsInTime() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> first = submit(door, "first", DONE);
        time.pass(TIMEOUT_MS / 2);
        CompletableFuture<String> second = submit(door, "second", DONE);
        List<CompletableFuture<String>> third = new ArrayList<>();
        CompletableFuture<Void> comes = first.handle((value, error) -> {
            third.add(submit(door, "third", DONE));
            return null;
        });

        time.pass(TIMEOUT_MS / 2);
        assertThat(comes).isCompleted();
        time.pass(TIMEOUT_MS / 2 - 1);
        assertThat(second).isNotDone();
        time.pass(1);
        assertThat(refusalOf(second).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        time.pass(TIMEOUT_MS / 2);
        assertThat(refusalOf(third.get(0)).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 RB-10 a request that comes just before a look for expired ones does not put off their end")
    void waiting_submitAtLook_nextIsInTime() {
        RemoteBulkhead bulkhead = bulkhead(1);
        List<Runnable> atNextRead = new ArrayList<>();
        Door door = Door.to(RemoteBulkheadClient.builder(bulkhead)
                .executor(DIRECT)
                .scheduler(time.scheduler())
                .clock(() -> {
                    List<Runnable> now = List.copyOf(atNextRead);
                    atNextRead.clear();
                    now.forEach(Runnable::run);
                    return time.nowMs();
                })
                .build());
        CompletableFuture<String> holder = door.occupy("holder");
        submit(door, "first", DONE);
        time.pass(TIMEOUT_MS / 2);
        CompletableFuture<String> second = submit(door, "second", DONE);
        time.pass(TIMEOUT_MS / 2 - 1);
        atNextRead.add(() -> submit(door, "third", DONE));

        time.pass(1);
        assertThat(door.waiting()).as("second and third").isEqualTo(2);
        time.pass(TIMEOUT_MS / 2);

        assertThat(refusalOf(second).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 RB-10 the first thread to come ends an overdue wait: a permit that comes later is not for it")
    void waiting_overdueWhenAnotherComes_fails() {
        RemoteBulkhead bulkhead = bulkhead(1);
        long[] nowMs = {START_MS};
        Door door = Door.to(RemoteBulkheadClient.builder(bulkhead)
                .executor(DIRECT)
                .clock(() -> nowMs[0])
                .scheduler(time.scheduler())
                .build());
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = submit(door, "waits", DONE);

        nowMs[0] += TIMEOUT_MS; // the scheduler is late
        CompletableFuture<String> other = submit(door, "other", DONE);

        assertThat(refusalOf(waits).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        holder.complete("done");
        assertThat(other).isCompletedWithValue("done");
        assertThat(started).containsExactly("other");
    }

    @Test
    @DisplayName("RB-21 an id may wait once: a second one is misuse and changes nothing")
    void submit_idWaits_throws() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = submit(door, "same", DONE);
        int events = door.bulkhead().events().size();

        assertThatThrownBy(() -> submit(door, "same", DONE)).isInstanceOf(IllegalArgumentException.class);

        assertThat(door.bulkhead().events()).hasSize(events);
        assertThat(waits).isNotDone();
        holder.complete("done");
        assertThat(started).containsExactly("same");
    }

    @Test
    @DisplayName("RB-21 an id may come again once it waits no more, whatever ended its wait")
    void submit_idWaitedBefore_isTaken() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("same");
        submit(door, "same", DONE).cancel(false);
        CompletableFuture<String> timesOut = submit(door, "same", DONE);
        time.pass(TIMEOUT_MS);
        assertThat(timesOut).isCompletedExceptionally();
        CompletableFuture<String> third = submit(door, "same", DONE);

        assertThat(third).isNotDone();
        timesOut.cancel(false);
        assertThat(door.waiting())
                .as("an old request's end is not the new one's")
                .isEqualTo(1);
        holder.complete("done");
        assertThat(third).isCompletedWithValue("done");
        assertThat(started).containsExactly("same");
    }

    @Test
    @DisplayName("RB-21 RB-10 a permit that comes free at the end of a wait is too late for it, timer or not")
    void release_atTheEndOfAWait_isTooLate() {
        Door door = Door.to(
                builder(bulkhead(1)).scheduler(new ClientTime(0).scheduler()).build());
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> first = submit(door, "first", DONE);
        time.pass(1);
        CompletableFuture<String> second = submit(door, "second", DONE);
        time.pass(TIMEOUT_MS - 1);

        holder.complete("done");

        assertThat(refusalOf(first).error()).isEqualTo(new BulkheadError.QueueTimeout("first"));
        assertThat(second).isCompletedWithValue("done");
        assertThat(started).containsExactly("second");
    }

    @Test
    @Timeout(600)
    @DisplayName("RB-21 what runs at the end of one wait may wait for a turn that came with it")
    void expired_continuationWaitsForATurn_getsIt() {
        Door door = Door.to(builder(bulkhead(1))
                .scheduler(new ClientTime(0).scheduler())
                .executor(start -> new Thread(start).start())
                .build());
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> first = door.submit("first", DONE);
        time.pass(1);
        CompletableFuture<String> second = door.submit("second", DONE);
        CompletableFuture<String> afterFirst = first.exceptionally(expired -> second.join());
        time.pass(TIMEOUT_MS - 1);

        holder.complete("done");

        assertThat(afterFirst.join()).isEqualTo("done");
    }

    @Test
    @DisplayName("RB-21 RB-10 a wait ends at its time though the executor is busy")
    void waiting_executorBusy_endsAtItsTime() {
        Door door = slowDoor(1, PermitLifetime.RETURNED_STAGE);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = submit(door, "waits", DONE);

        time.pass(TIMEOUT_MS);

        assertThat(refusalOf(waits).error()).isEqualTo(new BulkheadError.QueueTimeout("waits"));
        assertThat(heldBack).isEmpty();
        holder.complete("done");
    }

    @Test
    @Timeout(600)
    @DisplayName("RB-21 RB-10 what blocks at the end of one wait does not stop the time of others")
    void expired_continuationBlocks_othersStillEnd() throws Exception {
        RemoteBulkhead bulkhead = bulkhead(1, BackpressurePolicy.queue(DEPTH, 20));
        Door door = Door.to(RemoteBulkheadClient.of(bulkhead));
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> first = door.submit("first", DONE);
        CompletableFuture<String> second = new CompletableFuture<>();
        CompletableFuture<Throwable> afterSecond =
                first.handle((value, expired) -> errorWhenDone(door.submit("second", second)));

        assertThat(afterSecond.get()).isInstanceOf(BulkheadException.class);
        holder.complete("done");
    }

    private static Throwable errorWhenDone(CompletableFuture<String> future) {
        return future.handle((value, error) -> error).join();
    }

    @Test
    @DisplayName("RB-21 RB-12 cancelling one by hand, and a release, end no other wait by hand that is over")
    void cancelQueued_othersAreOver_leavesThem() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        door.bulkhead().acquire(true, "by hand", time.nowMs());
        door.bulkhead().acquire(true, "other", time.nowMs());
        long later = time.nowMs() + TIMEOUT_MS;

        assertThat(door.bulkhead().cancelQueued("other", later)).isTrue();
        assertThat(door.waiting()).isEqualTo(1);
        holder.complete("done");
        assertThat(door.waiting()).isEqualTo(1);
        assertThat(door.bulkhead().cancelQueued("by hand", later)).isTrue();
    }

    @Test
    @DisplayName("RB-21 RB-11 a request is not told of an earlier one of its name that expired by hand")
    void submit_nameOfOneThatExpired_isAdmitted() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        door.bulkhead().acquire(true, "name", time.nowMs());
        door.bulkhead().pollQueued("other", time.nowMs() + TIMEOUT_MS);
        holder.complete("done");

        assertThat(submit(door, "name", DONE)).isCompletedWithValue("done");
    }

    @Test
    @DisplayName("RB-21 RB-14 a raised cap lets in as many as there is room for, in order")
    void setMaxInFlight_raised_wakes() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> pending = new CompletableFuture<>();
        for (String id : List.of("a", "b", "c")) {
            submit(door, id, pending);
        }

        door.client().setMaxInFlight(3);

        assertThat(started).containsExactly("a", "b");
        assertThat(door.inFlight()).isEqualTo(3);
        holder.complete("done");
        assertThat(started).containsExactly("a", "b", "c");
        pending.complete("done");
    }

    @Test
    @DisplayName("RB-21 RB-15 a lowered cap refuses newcomers with retry-after; others go on waiting until below it")
    void setMaxInFlight_lowered_drains() {
        Door door = door(3);
        List<CompletableFuture<String>> holders = List.of(door.occupy("one"), door.occupy("two"), door.occupy("three"));
        CompletableFuture<String> waits = submit(door, "waits", DONE);

        door.bulkhead().setMaxInFlight(2, time.nowMs());
        BulkheadException refusal = refusalOf(submit(door, "comes", DONE));
        assertThat(refusal.error()).isEqualTo(new BulkheadError.Draining(3, 2));
        assertThat(refusal.retryAfterMs()).isPresent();

        holders.get(0).complete("done");
        assertThat(waits).as("at the target").isNotDone();
        holders.get(1).complete("done");
        assertThat(waits).as("below the target").isCompletedWithValue("done");
        holders.get(2).complete("done");
    }

    @Test
    @DisplayName("RB-21 RB-15 the time of waiting requests runs while the cap is being lowered")
    void setMaxInFlight_lowered_waitsTimeOut() {
        Door door = door(2);
        List<CompletableFuture<String>> holders = List.of(door.occupy("one"), door.occupy("two"));
        CompletableFuture<String> waits = submit(door, "waits", DONE);
        door.bulkhead().setMaxInFlight(1, time.nowMs());

        time.pass(TIMEOUT_MS);

        assertThat(refusalOf(waits).code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT");
        holders.forEach(holder -> holder.complete("done"));
    }

    @Test
    @DisplayName("RB-21 a permit released by hand beside the client admits a waiting request")
    void release_byHand_wakes() {
        Door door = door(1);
        BulkheadPermit byHand =
                door.bulkhead().acquire(true, "by hand", time.nowMs()).orElseThrow();
        CompletableFuture<String> waits = submit(door, "waits", DONE);
        assertThat(waits).isNotDone();

        door.bulkhead().release(byHand, time.nowMs());

        assertThat(waits).isCompletedWithValue("done");
    }

    @Test
    @DisplayName("RB-21 RB-12 a wait that is cancelled by hand beside the client ends as cancelled")
    void cancelQueued_byHand_cancels() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = submit(door, "waits", DONE);

        assertThat(door.bulkhead().cancelQueued("waits", time.nowMs())).isTrue();

        assertThat(waits.isCancelled()).isTrue();
        assertThat(errorOf(waits)).isInstanceOf(CancellationException.class);
        assertThat(door.bulkhead().cancelQueued("waits", time.nowMs())).isFalse();
        holder.complete("done");
        assertThat(started).isEmpty();
    }

    @Test
    @DisplayName("RB-21 RB-8 RB-9 asking by hand for a client's request tells its place and takes nothing from it")
    void poll_byHand_takesNothing() {
        Door door = door(1);
        CompletableFuture<String> holder = door.occupy("holder");
        CompletableFuture<String> waits = submit(door, "waits", DONE);
        AcquireResult.Refused place = new AcquireResult.Refused(new BulkheadError.Queued("waits", 1, TIMEOUT_MS));

        assertThat(door.bulkhead().pollQueued("waits", time.nowMs())).isEqualTo(place);
        assertThat(door.bulkhead().acquire(true, "waits", time.nowMs())).isEqualTo(place);

        holder.complete("done");
        assertThat(waits).isCompletedWithValue("done");
        assertThat(door.bulkhead().pollQueued("waits", time.nowMs()))
                .isEqualTo(new AcquireResult.Refused(new BulkheadError.UnknownRequest("waits")));
    }

    @Test
    @DisplayName("RB-21 RB-9 a manual request in front is not overtaken; its turn, cancel or time-out lets the next in")
    void waiting_behindOneByHand_comesAfterIt() {
        Door door = door(1);
        RemoteBulkhead bulkhead = door.bulkhead();
        for (int way = 0; way < 3; way++) {
            CompletableFuture<String> holder = door.occupy("holder");
            bulkhead.acquire(true, "by hand", time.nowMs());
            time.pass(TIMEOUT_MS / 2);
            CompletableFuture<String> waits = submit(door, "waits", DONE);
            holder.complete("done");
            assertThat(waits).as("behind one by hand").isNotDone();

            switch (way) {
                case 0 ->
                    bulkhead.release(
                            bulkhead.pollQueued("by hand", time.nowMs()).orElseThrow(), time.nowMs());
                case 1 -> bulkhead.cancelQueued("by hand", time.nowMs());
                default -> time.pass(TIMEOUT_MS / 2);
            }

            assertThat(waits).isCompletedWithValue("done");
        }
    }

    @Test
    @DisplayName("RB-21 RB-7 a newcomer that finds room but others before it is let in after them")
    void submit_behindOneByHandThatExpired_isLetIn() {
        Door door = door(2);
        List<CompletableFuture<String>> holders = List.of(door.occupy("one"), door.occupy("two"));
        door.bulkhead().acquire(true, "by hand", time.nowMs());
        time.pass(1);
        submit(door, "first", DONE);
        holders.forEach(holder -> holder.complete("done"));
        assertThat(started).isEmpty();

        time.pass(TIMEOUT_MS - 2);
        CompletableFuture<String> second = submit(door, "second", DONE);
        assertThat(second).isNotDone();
        time.pass(1);

        assertThat(started).containsExactly("first", "second");
        door.bulkhead().cancelQueued("by hand", time.nowMs());
    }
}
