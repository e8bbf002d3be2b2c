package io.tidegate.breaker;

import java.time.Duration;

/**
 * The negative numbers with which {@link CircuitBreaker#tryAcquire} refuses: each holds the reason, and after how many
 * nanoseconds to retry.
 */
final class RefusedStamp {
    /*
     * open          -1 … -(2^61)            the time left
     * probes busy   -(2^62) - the same      the time until a slot is likely to be free
     * forced open   Long.MIN_VALUE
     */
    static final long FORCED = Long.MIN_VALUE;
    private static final long LONGEST = 1L << 61;
    private static final long BUSY = 1L << 62;

    private RefusedStamp() {}

    static long open(long nanos) {
        return -Math.min(nanos, LONGEST);
    }

    static long busy(long nanos) {
        return -BUSY - Math.min(nanos, LONGEST);
    }

    static CallNotPermittedException exception(long refusal, String name, LiveSettings settings) {
        if (refusal == FORCED) {
            return new CircuitOpenException(name, State.FORCED_OPEN, Duration.ofNanos(settings.timeout()));
        }
        if (refusal < -BUSY) {
            return new TooManyRequestsException(name, Duration.ofNanos(-BUSY - refusal));
        }
        return new CircuitOpenException(name, State.OPEN, Duration.ofNanos(-refusal));
    }
}
