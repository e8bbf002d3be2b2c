package io.tidegate.remote;

import java.io.Serial;

/**
 * A process of a cluster refuses a request because it holds no lease on a part of the cap: it has not heard from the engine yet, or not for too long. A
 * refusal, so without a stack trace.
 */
public final class NoLeaseException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    static final String CODE = "RB_ERR_NO_LEASE";

    private final long retryAfterMs;

    NoLeaseException(long retryAfterMs) {
        super(
                CODE + ": no lease on a slice of the cap (expected: an answer of the engine, once a lease)",
                null,
                false,
                false);
        this.retryAfterMs = retryAfterMs;
    }

    /** The stable code, {@code RB_ERR_NO_LEASE}. */
    public String code() {
        return CODE;
    }

    /** How long to wait before another try may do better: until the engine has been asked again. */
    public long retryAfterMs() {
        return retryAfterMs;
    }
}
