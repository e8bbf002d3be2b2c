package io.tidegate.lease;

/** Thrown by a task whose work can never succeed: it is not retried, but parked at once. */
public final class PermanentFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** With a reason for people, which is kept with the failed work. */
    public PermanentFailure(String reason) {
        super(reason);
    }

    /** With a reason for people, and its cause. */
    public PermanentFailure(String reason, Throwable cause) {
        super(reason, cause);
    }
}
