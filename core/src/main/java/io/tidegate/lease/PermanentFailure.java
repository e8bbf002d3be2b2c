package io.tidegate.lease;

/** Thrown by a task whose work will never succeed: it is not tried again, and is parked at once. */
public final class PermanentFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With what people should know; it is kept with the failed work. */
    public PermanentFailure(String reason) {
        super(reason);
    }

    /** With what people should know, and what led to it. */
    public PermanentFailure(String reason, Throwable cause) {
        super(reason, cause);
    }
}
