package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_RELEASED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_QUEUED;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.race.Race;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("hot")
class ThreadsTest {
    private static final int THREADS = 8;
    private static final int TURNS = 4_000;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private interface Body {
        void run(int thread) throws InterruptedException;
    }

    /** Runs the body on all threads, which start together, and fails if one of them fails. */
    private void together(Body body) throws Exception {
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            ends.add(threads.submit(() -> {
                start.await();
                body.run(thread);
                return null;
            }));
        }
        start.countDown();
        for (Future<?> end : ends) {
            end.get(10, TimeUnit.MINUTES);
        }
    }

    private static RemoteBulkhead bulkhead(int cap, BackpressurePolicy policy) {
        return RemoteBulkhead.builder(cap)
                .policy(policy)
                .eventCapacity(2_000_000)
                .build();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    @DisplayName(
            "RB-2 RB-5 rejecting, under many threads: the cap holds at every moment and every permit has its own id")
    void acquireAndRelease_manyThreads_capHolds(int cap) throws Exception {
        RemoteBulkhead bulkhead = bulkhead(cap, BackpressurePolicy.reject());
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicLong granted = new AtomicLong();

        together(thread -> {
            for (int i = 0; i < TURNS; i++) {
                if (bulkhead.acquire(true, "r", i) instanceof AcquireResult.Granted grant) {
                    granted.incrementAndGet();
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    inside.decrementAndGet();
                    bulkhead.release(grant.permit(), i);
                }
            }
        });

        assertThat(most.get()).isBetween(1, cap);
        assertConsistent(bulkhead);
        assertThat(bulkhead.events())
                .filteredOn(BulkheadEvent::eventCode, RB_PERMIT_ACQUIRED)
                .hasSize((int) granted.get());
    }

    @Test
    @DisplayName("RB-2 RB-9 queueing, under many threads that poll: everyone is admitted, in the order of the queue")
    void poll_manyThreads_everyoneIsAdmitted() throws Exception {
        RemoteBulkhead bulkhead = bulkhead(2, BackpressurePolicy.queue(THREADS, Long.MAX_VALUE));
        int turns = 250;

        together(thread -> {
            for (int i = 0; i < turns; i++) {
                String name = "t" + thread + "-" + i;
                AcquireResult result = bulkhead.acquire(true, name, 0);
                for (int spins = 0; !(result instanceof AcquireResult.Granted); spins++) {
                    Race.pause(spins);
                    result = bulkhead.pollQueued(name, 0);
                }
                bulkhead.release(result.orElseThrow(), 0);
            }
        });

        assertConsistent(bulkhead);
        List<BulkheadEvent> events = bulkhead.events();
        assertThat(events)
                .filteredOn(BulkheadEvent::eventCode, RB_PERMIT_ACQUIRED)
                .hasSize(THREADS * turns);
        List<String> queued = requests(events, RB_REQUEST_QUEUED);
        List<String> admitted = requests(events, RB_PERMIT_ACQUIRED);
        admitted.retainAll(new HashSet<>(queued));
        assertThat(admitted).as("admitted of those that were queued").isEqualTo(queued);
    }

    private static List<String> requests(List<BulkheadEvent> events, BulkheadEventCode code) {
        List<String> requests = new ArrayList<>();
        for (BulkheadEvent event : events) {
            if (event.eventCode() == code) {
                requests.add(event.detail().replaceFirst(".*request=", ""));
            }
        }
        return requests;
    }

    @Test
    @DisplayName(
            "RB-2 RB-13 RB-14 everything at once, the cap moving: nothing in flight at the end, and the log adds up")
    void everything_manyThreads_logAddsUp() throws Exception {
        RemoteBulkhead bulkhead = bulkhead(3, BackpressurePolicy.queue(3, 5));
        AtomicLong clock = new AtomicLong();

        together(thread -> {
            Random random = new Random(thread);
            List<BulkheadPermit> own = new ArrayList<>();
            for (int i = 0; i < TURNS; i++) {
                turn(bulkhead, random, own, "r" + random.nextInt(12), clock.incrementAndGet() / 10);
            }
            own.forEach(permit -> bulkhead.release(permit, clock.get()));
        });

        assertConsistent(bulkhead);
        assertThat(bulkhead.drainingTarget()).isEmpty();
    }

    private static void turn(RemoteBulkhead bulkhead, Random random, List<BulkheadPermit> own, String name, long now) {
        switch (random.nextInt(8)) {
            case 0, 1 -> keep(bulkhead.acquire(true, name, now), own);
            case 2, 3 -> keep(bulkhead.pollQueued(name, now), own);
            case 4 -> bulkhead.cancelQueued(name, now);
            case 5 -> bulkhead.setMaxInFlight(1 + random.nextInt(4), now);
            case 6 -> bulkhead.recordForegroundLatency(random.nextInt(100), now);
            default -> {
                if (!own.isEmpty()) {
                    bulkhead.release(own.remove(0), now);
                }
            }
        }
        assertThat(bulkhead.queueDepth()).isBetween(0, 3);
    }

    private static void keep(AcquireResult result, List<BulkheadPermit> own) {
        if (result instanceof AcquireResult.Granted granted) {
            own.add(granted.permit());
        }
    }

    @Test
    @DisplayName("RB-2 RB-13 of many threads that release one permit, one succeeds")
    void release_samePermit_succeedsOnce() throws Exception {
        RemoteBulkhead bulkhead = bulkhead(1, BackpressurePolicy.reject());
        for (int round = 0; round < 100; round++) {
            BulkheadPermit permit = bulkhead.acquire(true, "r", round).orElseThrow();
            AtomicInteger released = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            together(thread -> {
                try {
                    bulkhead.release(permit, 0);
                    released.incrementAndGet();
                } catch (BulkheadException unknown) {
                    refused.incrementAndGet();
                }
            });

            assertThat(released).hasValue(1);
            assertThat(refused).hasValue(THREADS - 1);
        }
        assertConsistent(bulkhead);
    }

    /**
     * Checks that nothing is in flight, no event was dropped, and every count in the log follows from the one before.
     */
    private static void assertConsistent(RemoteBulkhead bulkhead) {
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(bulkhead.droppedEvents()).isZero();
        List<BulkheadEvent> events = bulkhead.events();
        Set<String> out = new HashSet<>();
        int inFlight = 0;
        long lastPermit = 0;
        for (BulkheadEvent event : events) {
            if (event.eventCode() == RB_PERMIT_ACQUIRED) {
                inFlight++;
                lastPermit++;
                check(event, inFlight <= event.maxInFlight());
                check(event, event.detail().startsWith("permit=" + lastPermit + " "));
                out.add("permit=" + lastPermit);
            } else if (event.eventCode() == RB_PERMIT_RELEASED) {
                inFlight--;
                check(event, out.remove(event.detail()));
            }
            check(event, event.inFlight() == inFlight);
        }
        assertThat(out).isEmpty();
        assertThat(inFlight).isZero();
    }

    private static void check(BulkheadEvent event, boolean holds) {
        if (!holds) {
            throw new AssertionError("the log does not add up at " + event);
        }
    }
}
