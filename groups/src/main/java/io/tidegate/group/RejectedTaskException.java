package io.tidegate.group;

import java.io.Serial;
import java.util.concurrent.RejectedExecutionException;

/**
 * The task could neither run nor wait, and was not run. Has no stack trace: it is made in {@code submit}, and thrown
 * where the handle is asked.
 */
public final class RejectedTaskException extends RejectedExecutionException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String groupKey;
    private final String taskId;

    RejectedTaskException(String groupKey, String taskId) {
        this.groupKey = groupKey;
        this.taskId = taskId;
    }

    @Override
    public String getMessage() {
        return "task '" + taskId + "' of group '" + groupKey + "' can neither run nor wait";
    }

    // Not synchronized, unlike the one above it: there is no trace to guard.
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public Throwable fillInStackTrace() {
        return this;
    }
}
