package io.tidegate.remote;

import io.tidegate.remote.broken.RemoteBulkheadFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gives the same operations to a bulkhead and to the reference, and compares each answer, and everything visible. */
final class SideBySide {
    /** The two permits of one grant. */
    record Both(BulkheadPermit permit, BulkheadPermit expected) {}

    final ReferenceBulkhead reference;
    private final RemoteBulkhead bulkhead;
    private final List<BulkheadEvent> told = new ArrayList<>();
    private final List<Both> out = new ArrayList<>();
    private final List<Both> back = new ArrayList<>();
    private int compared;

    SideBySide(RemoteBulkheadFactory factory, ReferenceBulkhead.Settings settings) {
        this.bulkhead = factory.create(settings, told::add);
        this.reference = new ReferenceBulkhead(settings, event -> {});
    }

    /** Permits that are out, oldest first. */
    List<Both> out() {
        return out;
    }

    /** Permits that came back. */
    List<Both> back() {
        return back;
    }

    void acquire(boolean hasRemoteCap, String requestId, long nowMs) {
        ask(either -> either.acquire(hasRemoteCap, requestId, nowMs));
    }

    void pollQueued(String requestId, long nowMs) {
        ask(either -> either.pollQueued(requestId, nowMs));
    }

    private void ask(Function<RemoteBulkhead, AcquireResult> question) {
        Object actual = answer(bulkhead, question);
        Object expected = answer(reference, question);
        if (actual instanceof AcquireResult.Granted granted && expected instanceof AcquireResult.Granted other) {
            out.add(new Both(granted.permit(), other.permit()));
            check("permit", granted.permit().toString(), other.permit().toString());
        } else {
            check("answer", actual, expected);
        }
    }

    void release(Both permit, long nowMs) {
        check("answer", release(bulkhead, permit.permit, nowMs), release(reference, permit.expected, nowMs));
        if (nowMs >= 0 && out.remove(permit)) {
            back.add(permit);
        }
    }

    private static Object release(RemoteBulkhead either, BulkheadPermit permit, long nowMs) {
        return answer(either, ignored -> {
            either.release(permit, nowMs);
            return "released";
        });
    }

    void cancelQueued(String requestId, long nowMs) {
        tell(either -> either.cancelQueued(requestId, nowMs));
    }

    void setMaxInFlight(int newCap, long nowMs) {
        tell(either -> {
            either.setMaxInFlight(newCap, nowMs);
            return "set";
        });
    }

    void recordForegroundLatency(long latencyMs) {
        tell(either -> {
            either.recordForegroundLatency(latencyMs);
            return "recorded";
        });
    }

    void recordForegroundLatency(long latencyMs, long nowMs) {
        tell(either -> {
            either.recordForegroundLatency(latencyMs, nowMs);
            return "recorded";
        });
    }

    private void tell(Function<RemoteBulkhead, Object> operation) {
        check("answer", answer(bulkhead, operation), answer(reference, operation));
    }

    /** Returns the answer, or what was thrown: the error of a {@code BulkheadException}, otherwise the type. */
    private static Object answer(RemoteBulkhead either, Function<RemoteBulkhead, ?> operation) {
        try {
            return operation.apply(either);
        } catch (BulkheadException thrown) {
            return thrown.error() instanceof BulkheadError.InvalidConfig ? thrown.code() : thrown.error();
        } catch (IllegalArgumentException thrown) {
            return thrown.getClass();
        }
    }

    /** Compares everything visible from outside. */
    void compare() {
        check("in flight", bulkhead.inFlight(), reference.inFlight());
        check("cap", bulkhead.maxInFlight(), reference.maxInFlight());
        check("queue depth", bulkhead.queueDepth(), reference.queueDepth());
        check("draining target", bulkhead.drainingTarget(), reference.drainingTarget());
        check("policy", bulkhead.policy(), reference.policy());
        check("p99 target", bulkhead.p99TargetMs(), reference.p99TargetMs());
        check("p99", bulkhead.p99ForegroundLatencyMs(), reference.p99ForegroundLatencyMs());
        check("within target", bulkhead.latencyWithinTarget(), reference.latencyWithinTarget());
        check("samples", bulkhead.latencySamples(), reference.latencySamples());
        check("events", bulkhead.events(), reference.events());
        check("dropped events", bulkhead.droppedEvents(), reference.droppedEvents());
        List<BulkheadEvent> every = reference.everyEvent();
        check("number of events told", told.size(), every.size());
        check("events told", told.subList(compared, told.size()), every.subList(compared, every.size()));
        compared = told.size();
    }

    /** Compares the logs, but not those of broken variants, which may be anything. */
    void checkLog() {
        if (bulkhead instanceof LockedBulkhead) {
            LogCheck.check(told, 0);
            LogCheck.check(bulkhead);
        }
    }

    private static void check(String what, @Nullable Object actual, @Nullable Object expected) {
        if (!Objects.equals(actual, expected)) {
            throw new AssertionError(what + ": " + actual + " (expected: " + expected + ")");
        }
    }
}
