package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_CAP_CHANGED;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_RELEASED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_QUEUED;
import static io.tidegate.remote.BulkheadEventCode.RB_REQUEST_REJECTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The six invariants, each checked over a long random life. */
class InvariantsTest extends RemoteBulkheadTest {
    private static final int STEPS = 5_000;

    private final Random random = new Random(6);
    private final List<BulkheadPermit> out = new ArrayList<>();

    private RemoteBulkhead queueing() {
        return made(RemoteBulkhead.builder(3)
                .policy(BackpressurePolicy.queue(3, TIMEOUT))
                .eventCapacity(10 * STEPS));
    }

    /** Does a random operation, except a change of the cap. */
    private AcquireResult ask(RemoteBulkhead bulkhead, long now) {
        String name = "r" + random.nextInt(8);
        AcquireResult result =
                random.nextBoolean() ? bulkhead.acquire(true, name, now) : bulkhead.pollQueued(name, now);
        if (result instanceof AcquireResult.Granted granted) {
            out.add(granted.permit());
        }
        return result;
    }

    private void releaseSome(RemoteBulkhead bulkhead, long now) {
        while (!out.isEmpty() && random.nextInt(3) == 0) {
            bulkhead.release(out.remove(random.nextInt(out.size())), now);
        }
    }

    private void releaseAll(RemoteBulkhead bulkhead) {
        out.forEach(permit -> bulkhead.release(permit, 0));
        out.clear();
    }

    @Test
    @DisplayName("INV-RB-CAPPED RB-5 no permit is issued beyond the cap of the moment, and none is out beyond the cap "
            + "unless the cap was lowered")
    void capped_always() {
        RemoteBulkhead bulkhead = queueing();
        for (int i = 0; i < STEPS; i++) {
            int before = bulkhead.inFlight();
            if (ask(bulkhead, i) instanceof AcquireResult.Granted granted) {
                assertThat(bulkhead.inFlight()).isEqualTo(before + 1).isLessThanOrEqualTo(bulkhead.maxInFlight());
                assertThat(granted.permit().capSnapshot()).isEqualTo(bulkhead.maxInFlight());
            }
            releaseSome(bulkhead, i);
            if (random.nextInt(20) == 0) {
                bulkhead.setMaxInFlight(1 + random.nextInt(4), i);
            }
            assertThat(bulkhead.inFlight() > bulkhead.maxInFlight()
                            && bulkhead.drainingTarget().isEmpty())
                    .isFalse();
            assertThat(bulkhead.inFlight()).isEqualTo(out.size());
        }
        releaseAll(bulkhead);
    }

    @Test
    @DisplayName(
            "INV-RB-BACKPRESSURE RB-6 RB-7 no request is dropped in silence: every one is granted, refused or waits")
    void backpressure_noSilentDrop() {
        RemoteBulkhead bulkhead = queueing();
        int granted = 0;
        int refused = 0;
        int enqueued = 0;
        for (int i = 0; i < STEPS; i++) {
            AcquireResult result = bulkhead.acquire(true, "r" + i, i);
            if (result instanceof AcquireResult.Granted grant) {
                granted++;
                out.add(grant.permit());
            } else if (result.equals(queued("r" + i, bulkhead.queueDepth()))) {
                enqueued++;
            } else {
                assertThat(result).isEqualTo(refused(new BulkheadError.QueueSaturated(3)));
                refused++;
            }
            releaseSome(bulkhead, i);
        }

        assertThat(granted + enqueued + refused).isEqualTo(STEPS);
        assertThat(count(bulkhead, RB_PERMIT_ACQUIRED)).isEqualTo(granted);
        assertThat(count(bulkhead, RB_REQUEST_QUEUED)).isEqualTo(enqueued);
        assertThat(count(bulkhead, RB_REQUEST_REJECTED))
                .as("refused at once or evicted later")
                .isEqualTo(refused + enqueued - bulkhead.queueDepth());
        releaseAll(bulkhead);
    }

    private static long count(RemoteBulkhead bulkhead, BulkheadEventCode code) {
        return codes(bulkhead).stream().filter(code::equals).count();
    }

    @Test
    @DisplayName(
            "INV-RB-SAFE-DRAIN RB-14 RB-15 after the cap fell below what is in flight nobody is admitted until less "
                    + "is in flight than it")
    void safeDrain_always() {
        RemoteBulkhead bulkhead = queueing();
        for (int round = 0; round < 200; round++) {
            bulkhead.setMaxInFlight(5, round);
            while (bulkhead.inFlight() < 5) {
                out.add(bulkhead.acquire(true, "r" + bulkhead.inFlight(), round).orElseThrow());
            }
            int target = 1 + random.nextInt(4);
            bulkhead.setMaxInFlight(target, round);
            while (bulkhead.inFlight() >= target) {
                assertThat(bulkhead.drainingTarget()).hasValue(target);
                assertThat(ask(bulkhead, round)).isInstanceOf(AcquireResult.Refused.class);
                bulkhead.release(out.remove(0), round);
            }
            assertThat(bulkhead.drainingTarget()).isEmpty();
            assertThat(bulkhead.queueDepth()).as("draining enqueues nobody").isZero();
        }
        releaseAll(bulkhead);
    }

    @Test
    @DisplayName("INV-RB-GATED RB-4 without the capability nothing is ever granted, whatever the state")
    void gated_always() {
        RemoteBulkhead bulkhead = queueing();
        for (int i = 0; i < STEPS; i++) {
            ask(bulkhead, i);
            releaseSome(bulkhead, i);
            if (random.nextInt(20) == 0) {
                bulkhead.setMaxInFlight(1 + random.nextInt(4), i);
            }
            int waiting = bulkhead.queueDepth();
            int inFlight = bulkhead.inFlight();

            assertThat(bulkhead.acquire(false, "r" + random.nextInt(8), i + TIMEOUT))
                    .isEqualTo(refused(new BulkheadError.RemoteCapRequired()));
            assertThat(bulkhead.queueDepth()).isEqualTo(waiting);
            assertThat(bulkhead.inFlight()).isEqualTo(inFlight);
        }
        releaseAll(bulkhead);
    }

    @Test
    @DisplayName("INV-RB-AUDITABLE RB-18 the log alone tells what is in flight, what the cap is and what waits")
    void auditable_always() {
        RemoteBulkhead bulkhead = queueing();
        for (int i = 0; i < STEPS; i++) {
            ask(bulkhead, i);
            releaseSome(bulkhead, i);
            if (random.nextInt(20) == 0) {
                bulkhead.setMaxInFlight(1 + random.nextInt(4), i);
            }
        }

        assertThat(bulkhead.droppedEvents()).isZero();
        assertThat(count(bulkhead, RB_PERMIT_ACQUIRED) - count(bulkhead, RB_PERMIT_RELEASED))
                .isEqualTo(bulkhead.inFlight());
        assertThat(bulkhead.events())
                .filteredOn(BulkheadEvent::eventCode, RB_CAP_CHANGED)
                .last()
                .extracting(BulkheadEvent::maxInFlight)
                .isEqualTo(bulkhead.maxInFlight());
        assertThat(waitingByTheLog(bulkhead.events())).hasSize(bulkhead.queueDepth());
        assertThat(EnumSet.copyOf(codes(bulkhead)))
                .as("every code but that of latencies")
                .hasSize(7);
        releaseAll(bulkhead);
    }

    private static List<String> waitingByTheLog(List<BulkheadEvent> events) {
        List<String> waiting = new ArrayList<>();
        for (BulkheadEvent event : events) {
            String request = event.detail().replaceFirst(".*request=", "");
            if (event.eventCode() == RB_REQUEST_QUEUED) {
                waiting.add(request);
            } else if (event.eventCode() == RB_PERMIT_ACQUIRED || event.eventCode() == RB_REQUEST_REJECTED) {
                waiting.remove(request);
            }
        }
        return waiting;
    }

    @Test
    @DisplayName("INV-RB-DETERMINISTIC RB-16 the same samples give the same p99 in any order")
    void deterministic_anyOrder() {
        List<Long> latencies = new ArrayList<>(LongStream.generate(() -> random.nextInt(500))
                .limit(1000)
                .boxed()
                .toList());
        List<OptionalLong> answers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(latencies, random);
            RemoteBulkhead bulkhead = rejecting(1);
            latencies.forEach(bulkhead::recordForegroundLatency);
            answers.add(bulkhead.p99ForegroundLatencyMs());
        }
        Collections.sort(latencies);

        assertThat(answers).containsOnly(OptionalLong.of(latencies.get(989)));
    }
}
