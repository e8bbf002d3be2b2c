package io.tidegate.spring.http;

import io.tidegate.Overload;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** Shows a guard that a response is a failure. It never leaves the guard: the caller gets the response. */
class FailedResponse extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int FIRST_OF_SERVER = 500;

    private FailedResponse(int status) {
        super("response: " + status, null, false, false);
    }

    /** Returns the failure that a response means; null if it means none. */
    static @Nullable FailedResponse of(int status, @Nullable String retryAfter) {
        if (status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE) {
            return new Overloaded(status, pause(retryAfter, Instant.now()));
        }
        return status >= FIRST_OF_SERVER ? new FailedResponse(status) : null;
    }

    /** How long a header asks callers to wait, in seconds or until a date; zero if it does not say. */
    static Duration pause(@Nullable String retryAfter, Instant now) {
        if (retryAfter == null) {
            return Duration.ZERO;
        }
        String text = retryAfter.strip();
        try {
            if (!text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return Duration.ofSeconds(Long.parseLong(text));
            }
            Duration until = Duration.between(
                    now,
                    ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
            return until.isNegative() ? Duration.ZERO : until;
        } catch (DateTimeParseException | ArithmeticException | NumberFormatException unreadable) {
            return Duration.ZERO;
        }
    }

    /** The callee reports that it is overloaded. */
    private static final class Overloaded extends FailedResponse implements Overload {
        @Serial
        private static final long serialVersionUID = 1L;

        private final Duration retryAfter;

        Overloaded(int status, Duration retryAfter) {
            super(status);
            this.retryAfter = retryAfter;
        }

        @Override
        public Duration retryAfter() {
            return retryAfter;
        }
    }
}
