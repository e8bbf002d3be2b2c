package io.tidegate.breaker;

import io.tidegate.Refusal;
import java.io.Serial;
import java.time.Duration;

/** A breaker refused a call, which did not run. Has no stack trace and takes no suppressed exceptions. */
public class CallNotPermittedException extends RuntimeException implements Refusal {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String code;
    private final String breakerName;
    private final State state;
    private final Duration retryAfter;

    CallNotPermittedException(String code, String reason, String breakerName, State state, Duration retryAfter) {
        super("breaker '".concat(breakerName).concat("' ").concat(reason), null, false, false);
        this.code = code;
        this.breakerName = breakerName;
        this.state = state;
        this.retryAfter = retryAfter;
    }

    /** Returns the stable code of this refusal. */
    @Override
    public String code() {
        return code;
    }

    /** Returns the name of the breaker that refused. */
    @Override
    public String source() {
        return breakerName;
    }

    /** Returns the name of the breaker that refused. */
    public String breakerName() {
        return breakerName;
    }

    /** Returns the state in which the breaker refused. */
    public State state() {
        return state;
    }

    /**
     * Returns how long to wait before a retry may succeed. Open: the rest of the open time. Half-open: what is left of
     * the usual time of a probe, or at most a second if that is not known. Forced open: the open time.
     */
    @Override
    public Duration retryAfter() {
        return retryAfter;
    }
}
