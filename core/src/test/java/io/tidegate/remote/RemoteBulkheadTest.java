package io.tidegate.remote;

import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_ACQUIRED;
import static io.tidegate.remote.BulkheadEventCode.RB_PERMIT_RELEASED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;

/**
 * What every test of the remote bulkhead starts from, and what it must leave behind: all permits back, and a log that
 * adds up.
 */
abstract class RemoteBulkheadTest {
    static final long TIMEOUT = 100;
    static final BackpressurePolicy REJECT = BackpressurePolicy.reject();

    private record Made(RemoteBulkhead bulkhead, Iterable<BulkheadEvent> told) {}

    private record Out(RemoteBulkhead bulkhead, BulkheadPermit permit) {}

    private final List<Made> made = new ArrayList<>();
    private final List<Out> out = new ArrayList<>();

    final RemoteBulkhead rejecting(int cap) {
        return made(RemoteBulkhead.builder(cap));
    }

    final RemoteBulkhead queueing(int cap, int maxDepth) {
        return made(RemoteBulkhead.builder(cap).policy(BackpressurePolicy.queue(maxDepth, TIMEOUT)));
    }

    /** Builds the bulkhead with this class's sink. */
    final RemoteBulkhead made(RemoteBulkhead.Builder builder) {
        ConcurrentLinkedQueue<BulkheadEvent> told = new ConcurrentLinkedQueue<>();
        RemoteBulkhead bulkhead = builder.eventSink(told::add).build();
        made.add(new Made(bulkhead, told));
        return bulkhead;
    }

    /** Takes a permit, which is given back after the test unless the test has done so. */
    final BulkheadPermit take(RemoteBulkhead bulkhead, String requestId, long nowMs) {
        return granted(bulkhead, bulkhead.acquire(true, requestId, nowMs));
    }

    final BulkheadPermit poll(RemoteBulkhead bulkhead, String requestId, long nowMs) {
        return granted(bulkhead, bulkhead.pollQueued(requestId, nowMs));
    }

    private BulkheadPermit granted(RemoteBulkhead bulkhead, AcquireResult result) {
        assertThat(result).isInstanceOf(AcquireResult.Granted.class);
        BulkheadPermit permit = result.orElseThrow();
        out.add(new Out(bulkhead, permit));
        return permit;
    }

    final List<BulkheadPermit> takeAll(RemoteBulkhead bulkhead) {
        List<BulkheadPermit> permits = new ArrayList<>();
        while (bulkhead.inFlight() < bulkhead.maxInFlight()) {
            permits.add(take(bulkhead, "holder" + permits.size(), 0));
        }
        return permits;
    }

    final void giveBack(RemoteBulkhead bulkhead, BulkheadPermit permit, long nowMs) {
        bulkhead.release(permit, nowMs);
        out.remove(new Out(bulkhead, permit));
    }

    @AfterEach
    final void permitsAreConserved() {
        for (Out each : out) {
            each.bulkhead.release(each.permit, 0);
        }
        for (Made each : made) {
            assertThat(each.bulkhead.inFlight()).as("in flight at the end").isZero();
            assertThat(each.bulkhead.drainingTarget()).as("draining at the end").isEmpty();
            assertAddsUp(each.told);
            LogCheck.check(each.bulkhead);
        }
    }

    /**
     * Checks that from event to event the number in flight changes as the event says, and that each admission fits the
     * cap.
     */
    static void assertAddsUp(Iterable<BulkheadEvent> events) {
        int inFlight = 0;
        for (BulkheadEvent event : events) {
            inFlight += event.eventCode() == RB_PERMIT_ACQUIRED ? 1 : event.eventCode() == RB_PERMIT_RELEASED ? -1 : 0;
            assertThat(event.inFlight()).as("in flight in %s", event).isEqualTo(inFlight);
            if (event.eventCode() == RB_PERMIT_ACQUIRED) {
                assertThat(inFlight).as("in flight in %s", event).isLessThanOrEqualTo(event.maxInFlight());
            }
        }
        assertThat(inFlight).as("in flight by the log").isZero();
    }

    static AcquireResult refused(BulkheadError error) {
        return new AcquireResult.Refused(error);
    }

    static AcquireResult queued(String requestId, int position) {
        return refused(new BulkheadError.Queued(requestId, position, TIMEOUT));
    }

    static AcquireResult timedOut(String requestId) {
        return refused(new BulkheadError.QueueTimeout(requestId));
    }

    static AcquireResult unknown(String requestId) {
        return refused(new BulkheadError.UnknownRequest(requestId));
    }

    static List<BulkheadEventCode> codes(RemoteBulkhead bulkhead) {
        return bulkhead.events().stream().map(BulkheadEvent::eventCode).toList();
    }

    /** Returns the codes of the events that the operation logs. */
    static List<BulkheadEventCode> codesOf(RemoteBulkhead bulkhead, Runnable operation) {
        int before = bulkhead.events().size();
        operation.run();
        List<BulkheadEventCode> codes = codes(bulkhead);
        return codes.subList(before, codes.size());
    }

    /** Returns everything visible of a bulkhead. */
    static List<Object> state(RemoteBulkhead bulkhead) {
        return List.of(
                bulkhead.maxInFlight(),
                bulkhead.inFlight(),
                bulkhead.queueDepth(),
                bulkhead.drainingTarget(),
                bulkhead.policy(),
                bulkhead.p99TargetMs(),
                bulkhead.p99ForegroundLatencyMs(),
                bulkhead.latencySamples(),
                bulkhead.events(),
                bulkhead.droppedEvents());
    }

    static void assertThrowsAndChangesNothing(
            RemoteBulkhead bulkhead, Class<? extends Throwable> type, ThrowingCallable misuse) {
        List<Object> before = state(bulkhead);
        assertThatThrownBy(misuse).isInstanceOf(type);
        assertThat(state(bulkhead)).isEqualTo(before);
    }

    static void assertThrowsAndChangesNothing(RemoteBulkhead bulkhead, BulkheadError error, ThrowingCallable call) {
        List<Object> before = state(bulkhead);
        assertThatThrownBy(call).isInstanceOfSatisfying(BulkheadException.class, thrown -> {
            assertThat(thrown.error()).isEqualTo(error);
            assertThat(thrown.code()).isEqualTo(error.code());
        });
        assertThat(state(bulkhead)).isEqualTo(before);
    }
}
