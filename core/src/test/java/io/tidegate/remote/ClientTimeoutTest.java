package io.tidegate.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** By default waits end on time, whatever other threads do. */
class ClientTimeoutTest extends ClientTest {
    private static final int PATIENCE_SECONDS = 600;
    private static final CompletableFuture<String> DONE = CompletableFuture.completedFuture("done");

    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void releaseAll() {
        release.countDown();
    }

    private void block() {
        try {
            assertThat(release.await(2 * PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Door brief() {
        return Door.to(RemoteBulkheadClient.of(bulkhead(1, BackpressurePolicy.queue(DEPTH, 20))));
    }

    private static void assertTimesOut(CompletableFuture<String> waits) {
        assertThat(waits.handle((value, error) -> error)
                        .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .join())
                .isInstanceOfSatisfying(
                        BulkheadException.class,
                        error -> assertThat(error.code()).isEqualTo("RB_ERR_QUEUE_TIMEOUT"));
    }

    @Test
    @DisplayName("RB-21 RB-10 by default a wait ends though every thread of the common pool is busy")
    void waiting_commonPoolBusy_ends() {
        Door door = brief();
        CompletableFuture<String> holder = door.occupy("holder");
        for (int i = 0; i < 100; i++) {
            ForkJoinPool.commonPool().execute(this::block);
        }

        assertTimesOut(door.submit("waits", DONE));
        holder.complete("done");
    }

    @Test
    @DisplayName("RB-21 RB-10 what blocks at the end of some waits delays no other wait, of this client or another one")
    void expired_continuationsBlock_othersEnd() {
        Door door = brief();
        Door other = brief();
        List<CompletableFuture<String>> holders = List.of(door.occupy("holder"), other.occupy("holder"));
        List<CompletableFuture<String>> waits = new ArrayList<>();
        Thread test = Thread.currentThread();
        for (int i = 0; i < DEPTH; i++) {
            CompletableFuture<String> waiting = door.submit("blocks " + i, DONE);
            waits.add(waiting);
            waiting.whenComplete((value, error) -> {
                if (Thread.currentThread() != test) { // the wait may have ended before this was registered
                    block();
                }
            });
        }

        assertTimesOut(other.submit("elsewhere", DONE));
        waits.forEach(ClientTimeoutTest::assertTimesOut);
        assertTimesOut(door.submit("later", DONE));
        holders.forEach(holder -> holder.complete("done"));
    }

    @Test
    @DisplayName("RB-21 RB-10 a wait that a newcomer finds over ends though the newcomer's operation blocks")
    void expired_foundByOneThatBlocks_ends() {
        long[] nowMs = {START_MS};
        RemoteBulkhead bulkhead = bulkhead(2, BackpressurePolicy.queue(DEPTH, 60_000));
        Door door = Door.to(RemoteBulkheadClient.builder(bulkhead)
                .clock(() -> nowMs[0])
                .executor(DIRECT)
                .build());
        List<CompletableFuture<String>> holders = List.of(door.occupy("one"), door.occupy("two"));
        bulkhead.acquire(true, "by hand", START_MS);
        CompletableFuture<String> waits = door.submit("waits", DONE);
        holders.get(0).complete("done");
        nowMs[0] += 60_000;

        CompletableFuture<String> newcomer = door.submit("newcomer", () -> {
            assertTimesOut(waits);
            return DONE;
        });

        assertThat(newcomer).isCompletedWithValue("done");
        bulkhead.cancelQueued("by hand", nowMs[0]);
        holders.get(1).complete("done");
    }
}
