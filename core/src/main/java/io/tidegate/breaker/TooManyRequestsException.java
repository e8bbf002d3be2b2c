package io.tidegate.breaker;

import java.io.Serial;
import java.time.Duration;

/** The breaker is half-open and all its probes are running. */
public final class TooManyRequestsException extends CallNotPermittedException {
    /** The stable code of this refusal: {@value}. */
    public static final String CODE = "CB_ERR_PROBES_BUSY";

    @Serial
    private static final long serialVersionUID = 1L;

    TooManyRequestsException(String breakerName, Duration retryAfter) {
        super(CODE, "is half-open and its probes are running", breakerName, State.HALF_OPEN, retryAfter);
    }
}
