package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_CAP_CHANGED;
import static io.tidegate.remote.BulkheadEventCode.RB_LATENCY_REPORT;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_RELEASED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.stage.Dive;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SinkTest {
    private static final int PATIENCE = 600;

    private final ExecutorService others = Executors.newCachedThreadPool();
    private final AtomicReference<RemoteBulkhead> made = new AtomicReference<>();
    private final List<BulkheadEvent> told = new ArrayList<>();

    private RemoteBulkhead bulkhead(int cap, Consumer<BulkheadEvent> sink) {
        RemoteBulkhead bulkhead = RemoteBulkhead.builder(cap)
                .policy(BackpressurePolicy.queue(4, 100))
                .eventCapacity(1_000_000)
                .eventSink(sink)
                .build();
        made.set(bulkhead);
        return bulkhead;
    }

    @AfterEach
    void permitsAreConserved() {
        others.shutdownNow();
        assertThat(made.get().inFlight()).as("in flight at the end").isZero();
        RemoteBulkheadTest.assertAddsUp(made.get().events());
    }

    private <T> T await(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(PATIENCE, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("RB-17 the sink sees every event once in log order, before the operation returns on a single thread")
    void sink_oneThread_seesTheLog() {
        RemoteBulkhead bulkhead = bulkhead(1, told::add);
        BulkheadPermit permit = bulkhead.acquire(true, "a", 0).orElseThrow();
        assertThat(told).hasSize(1);
        bulkhead.acquire(true, "b", 0);
        bulkhead.pollQueued("stranger", 100);
        bulkhead.release(permit, 100);

        assertThat(told).isEqualTo(bulkhead.events()).hasSize(5);
    }

    @Test
    @DisplayName("RB-17 the sink sees events that the log has dropped")
    void sink_smallLog_seesEverything() {
        RemoteBulkhead bulkhead =
                RemoteBulkhead.builder(1).eventCapacity(1).eventSink(told::add).build();
        made.set(bulkhead);
        for (int i = 0; i < 10; i++) {
            bulkhead.recordForegroundLatency(i, i);
        }

        assertThat(told).extracting(BulkheadEvent::nowMs).containsExactly(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    @DisplayName("RB-17 RB-2 with many threads the sink sees each event exactly once, in log order, one at a time")
    void sink_manyThreads_seesTheLogInOrder() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        RemoteBulkhead bulkhead = bulkhead(2, event -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            told.add(event);
            inside.decrementAndGet();
        });
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> ends = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            String name = "t" + thread;
            ends.add(others.submit(() -> {
                start.await();
                for (int i = 0; i < 3_000; i++) {
                    AcquireResult result = bulkhead.acquire(true, name, i);
                    if (result instanceof AcquireResult.Granted granted) {
                        bulkhead.recordForegroundLatency(i);
                        bulkhead.release(granted.permit(), i);
                    }
                }
                return null;
            }));
        }
        start.countDown();
        for (Future<?> end : ends) {
            await(end);
        }

        assertThat(bulkhead.droppedEvents()).isZero();
        assertThat(most).hasValue(1);
        assertThat(told).isEqualTo(bulkhead.events());
    }

    static List<Throwable> thrown() {
        return List.of(new IllegalStateException("sink"), new Exception("checked"), new StackOverflowError("sink"));
    }

    @ParameterizedTest
    @MethodSource("thrown")
    @DisplayName("RB-17 what a sink throws is dropped, and it is told the rest all the same")
    void sink_throws_isToldTheRest(Throwable thrown) {
        RemoteBulkhead bulkhead = bulkhead(1, event -> {
            told.add(event);
            throw SinkTest.<RuntimeException>sneaky(thrown);
        });
        BulkheadPermit permit = bulkhead.acquire(true, "a", 0).orElseThrow();
        bulkhead.acquire(true, "b", 0);
        bulkhead.cancelQueued("b", 0);
        bulkhead.release(permit, 1);

        assertThat(told).isEqualTo(bulkhead.events()).hasSize(5);
    }

    /** Throws a checked exception where the compiler allows none. */
    @SuppressWarnings("unchecked") // E is erased, which is the trick
    private static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @Test
    @DisplayName("RB-17 a sink that throws an interruption leaves the thread interrupted")
    void sink_throwsInterruption_isKept() {
        RemoteBulkhead bulkhead = bulkhead(1, event -> {
            throw SinkTest.<RuntimeException>sneaky(new InterruptedException());
        });
        bulkhead.recordForegroundLatency(1);

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    @DisplayName("RB-17 a sink may call back in: what it does is logged after what it was told, and told in turn")
    void sink_callsBackIn_isToldInOrder() {
        AtomicInteger logged = new AtomicInteger();
        AtomicInteger toldMeanwhile = new AtomicInteger();
        RemoteBulkhead bulkhead = bulkhead(1, event -> {
            told.add(event);
            if (event.eventCode() == RB_PERMIT_ACQUIRED) {
                made.get().setMaxInFlight(2, event.nowMs());
                made.get().recordForegroundLatency(3);
                logged.set(made.get().events().size());
                toldMeanwhile.set(told.size());
            }
        });
        bulkhead.release(bulkhead.acquire(true, "a", 7).orElseThrow(), 8);

        assertThat(logged).as("done at once").hasValue(3);
        assertThat(toldMeanwhile).as("not entered twice").hasValue(1);
        assertThat(told).isEqualTo(bulkhead.events());
        assertThat(told)
                .extracting(BulkheadEvent::eventCode)
                .containsExactly(RB_PERMIT_ACQUIRED, RB_CAP_CHANGED, RB_LATENCY_REPORT, RB_PERMIT_RELEASED);
    }

    @Test
    @DisplayName("RB-17 a sink that answers every event with ten thousand more overflows no stack")
    void sink_callsBackInOften_doesNotRecurse() {
        RemoteBulkhead bulkhead = bulkhead(1, event -> {
            told.add(event);
            if (told.size() < 10_000) {
                made.get().recordForegroundLatency(told.size());
            }
        });
        bulkhead.recordForegroundLatency(0);

        assertThat(told).hasSize(10_000).isEqualTo(bulkhead.events());
    }

    @Test
    @DisplayName("RB-17 the sink runs outside any lock: while it is stuck, another thread does everything")
    void sink_stuck_othersGoOn() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        RemoteBulkhead bulkhead = bulkhead(1, event -> {
            stuck.countDown();
            awaitQuietly(free);
            told.add(event);
        });
        Future<BulkheadPermit> holder =
                others.submit(() -> bulkhead.acquire(true, "a", 0).orElseThrow());
        assertThat(stuck.await(PATIENCE, TimeUnit.SECONDS)).isTrue();

        await(others.submit(() -> useEverything(bulkhead)));

        assertThat(told).isEmpty();
        free.countDown();
        bulkhead.release(await(holder), 9);
        await(others.submit(() -> bulkhead.recordForegroundLatency(1)));
        assertThat(told).as("kept for it meanwhile").isEqualTo(bulkhead.events());
    }

    @Test
    @DisplayName("RB-17 RB-21 a permit is not idle while the sink is told of it: the operation is started first")
    void sink_slow_operationStartsFirst() {
        CountDownLatch started = new CountDownLatch(1);
        List<Boolean> startedBefore = new ArrayList<>();
        RemoteBulkhead bulkhead = bulkhead(1, event -> startedBefore.add(started.getCount() == 0));
        RemoteBulkheadClient client = RemoteBulkheadClient.of(bulkhead);

        CompletableFuture<String> operation = new CompletableFuture<>();
        client.submit(client.takeCapability(), "a", () -> {
            started.countDown();
            return operation;
        });
        operation.complete("done");

        assertThat(startedBefore).hasSize(3).doesNotContain(false);
    }

    @Test
    @Tag("hot")
    @DisplayName("RB-17 a sink told at the end of a stack is told everything once there is room again")
    void sink_stackEnds_isNotDeaf() {
        RemoteBulkhead bulkhead = bulkhead(1, told::add);
        bulkhead.recordForegroundLatency(0);
        for (int round = 0; round < 3; round++) {
            Dive.run(i -> bulkhead.recordForegroundLatency(i));
        }
        bulkhead.recordForegroundLatency(0);

        assertThat(told.size()).isEqualTo(bulkhead.events().size());
        assertThat(told).isEqualTo(bulkhead.events());
    }

    private static void useEverything(RemoteBulkhead bulkhead) {
        assertThat(bulkhead.inFlight()).isEqualTo(1);
        assertThat(bulkhead.acquire(true, "b", 1)).isInstanceOf(AcquireResult.Refused.class);
        assertThat(bulkhead.pollQueued("b", 2)).isInstanceOf(AcquireResult.Refused.class);
        assertThat(bulkhead.cancelQueued("b", 3)).isTrue();
        bulkhead.setMaxInFlight(2, 4);
        bulkhead.release(bulkhead.acquire(true, "c", 5).orElseThrow(), 6);
        bulkhead.recordForegroundLatency(5, 7);
        assertThat(bulkhead.events()).hasSize(8);
        assertThat(bulkhead.latencyWithinTarget()).isTrue();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
