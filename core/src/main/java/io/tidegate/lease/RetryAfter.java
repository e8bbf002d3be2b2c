package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a task whose attempt failed and which knows when a retry may succeed. Counts like any other failure.
 */
public final class RetryAfter extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration pause;

    /**
     * Asks for this pause instead of the backoff's.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public RetryAfter(Duration pause) {
        this(pause, null);
    }

    /**
     * Asks for this pause, with the cause of the failure.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public RetryAfter(Duration pause, @Nullable Throwable cause) {
        super("again in " + requireNonNull(pause, "pause"), cause);
        if (pause.isNegative()) {
            throw new IllegalArgumentException("pause: " + pause + " (expected: not negative)");
        }
        this.pause = pause;
    }

    /** How long to wait before the next attempt. */
    public Duration pause() {
        return pause;
    }
}
