package io.tidegate.console;

/** A request that is not served, with the status and the message for its sender. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    final int status;
    final int retryAfterSeconds;

    Refused(int status, String message) {
        this(status, message, 0);
    }

    Refused(int status, String message, int retryAfterSeconds) {
        super(message, null, false, false);
        this.status = status;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    static Refused tooMany(String what, int retryAfterSeconds) {
        return new Refused(429, what + ": too many (expected: fewer, or later)", retryAfterSeconds);
    }
}
