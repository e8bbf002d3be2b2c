package io.tidegate.breaker;

import java.io.Serial;
import java.time.Duration;

/** The breaker is open or forced open. */
public final class CircuitOpenException extends CallNotPermittedException {
    /** The stable code of this refusal: {@value}. */
    public static final String CODE = "CB_ERR_OPEN";

    @Serial
    private static final long serialVersionUID = 1L;

    CircuitOpenException(String breakerName, State state, Duration retryAfter) {
        super(CODE, state == State.FORCED_OPEN ? "is forced open" : "is open", breakerName, state, retryAfter);
    }
}
