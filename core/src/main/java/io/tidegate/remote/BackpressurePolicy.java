package io.tidegate.remote;

/** What a {@link RemoteBulkhead} does with a request when every permit is out. Checked where the bulkhead is built. */
public sealed interface BackpressurePolicy {
    /** Refuse it. */
    static BackpressurePolicy reject() {
        return new Reject();
    }

    /** Let it wait, first in, first out. */
    static BackpressurePolicy queue(int maxDepth, long timeoutMs) {
        return new Queue(maxDepth, timeoutMs);
    }

    /** Refuse with {@link BulkheadError.AtCapacity}. */
    record Reject() implements BackpressurePolicy {}

    /**
     * Let at most {@code maxDepth} requests wait, each for less than {@code timeoutMs}.
     *
     * @param maxDepth how many may wait
     * @param timeoutMs after this many milliseconds a waiting request expires
     */
    record Queue(int maxDepth, long timeoutMs) implements BackpressurePolicy {}
}
