package io.tidegate.rate;

import io.tidegate.Refusal;
import java.io.Serial;
import java.time.Duration;

/** The answer to a submission that came too early: no work was started. It has no stack trace. */
public final class RateLimitedException extends RuntimeException implements Refusal {
    /** The stable code of this refusal: {@value}. */
    public static final String CODE = "RL_ERR_EXCEEDED";

    @Serial
    private static final long serialVersionUID = 1L;

    private final String limiterName;
    private final Duration retryAfter;

    RateLimitedException(String limiterName, Duration retryAfter) {
        super(null, null, false, false);
        this.limiterName = limiterName;
        this.retryAfter = retryAfter;
    }

    /** Returns {@link #CODE}. */
    @Override
    public String code() {
        return CODE;
    }

    /** Returns the name of the limiter that refused. */
    @Override
    public String source() {
        return limiterName;
    }

    /** Returns after how long the same call would be admitted if no other call came: exact to the nanosecond. */
    @Override
    public Duration retryAfter() {
        return retryAfter;
    }

    @Override
    public String getMessage() {
        return "rate limiter '" + limiterName + "' has no permit left: retry after " + retryAfter;
    }
}
