package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import io.tidegate.Refusal;
import java.io.Serial;
import java.time.Duration;

/** An offset would have to wait, but the backlog of its domain is full. Nothing has changed: offer it again later. */
public final class BacklogFullException extends IllegalStateException implements Refusal {
    @Serial
    private static final long serialVersionUID = 1L;

    /** The answer of {@link #code}. */
    private static final String CODE = "WL_ERR_BACKLOG_FULL";

    private final String domainId;
    private final int maxBacklog;

    public BacklogFullException(String domainId, int maxBacklog) {
        super("backlog: full (expected: fewer than " + maxBacklog + " offsets waiting in domain "
                + requireNonNull(domainId, "domainId") + ")");
        this.domainId = domainId;
        this.maxBacklog = maxBacklog;
    }

    /** The domain that was asked. */
    public String domainId() {
        return domainId;
    }

    /** How many offsets may wait in a domain. */
    public int maxBacklog() {
        return maxBacklog;
    }

    /** The stable code. */
    @Override
    public String code() {
        return CODE;
    }

    /** The domain that was asked. */
    @Override
    public String source() {
        return domainId;
    }

    /** {@link Duration#ZERO}: when there will be room is not known. */
    @Override
    public Duration retryAfter() {
        return Duration.ZERO;
    }
}
