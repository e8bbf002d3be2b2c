package io.tidegate.bulkhead;

import io.tidegate.Refusal;
import java.io.Serial;
import java.time.Duration;

/**
 * The answer to a submission that found its bulkhead full: no work was started.
 *
 * <p>One instance serves every refusal of its bulkhead at one limit. It has no stack trace, takes no suppressed
 * exceptions and no cause, and so cannot be changed by its receivers.
 */
public final class BulkheadRejectedException extends RuntimeException implements Refusal {
    /** The stable code of this refusal: {@value}. */
    public static final String CODE = "AB_ERR_FULL";

    @Serial
    private static final long serialVersionUID = 1L;

    private final String bulkheadName;
    private final int maxInFlight;

    BulkheadRejectedException(String bulkheadName, int maxInFlight) {
        super("bulkhead '" + bulkheadName + "' is full: " + maxInFlight + " in flight", null, false, false);
        this.bulkheadName = bulkheadName;
        this.maxInFlight = maxInFlight;
    }

    /** Returns {@link #CODE}. */
    @Override
    public String code() {
        return CODE;
    }

    /** Returns the name of the bulkhead that refused. */
    @Override
    public String source() {
        return bulkheadName;
    }

    /** Returns {@link Duration#ZERO}: when a permit will be free is not known. */
    @Override
    public Duration retryAfter() {
        return Duration.ZERO;
    }

    /** Returns the name of the bulkhead that refused. */
    public String bulkheadName() {
        return bulkheadName;
    }

    /** Returns the limit that was reached. */
    public int maxInFlight() {
        return maxInFlight;
    }
}
