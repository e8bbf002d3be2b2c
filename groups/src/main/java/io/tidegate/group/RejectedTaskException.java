package io.tidegate.group;

import io.tidegate.Refusal;
import java.io.Serial;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The task was refused and not run; {@link #code()} says why. Has no stack trace: it is made where the refusal is
 * decided, and thrown where the handle is read.
 */
public final class RejectedTaskException extends RejectedExecutionException implements Refusal {
    /** The group's queue is full: {@value}. */
    public static final String GROUP_QUEUE = "GX_ERR_GROUP_QUEUE";

    /** The common threshold of waiting tasks is reached: {@value}. */
    public static final String GLOBAL_QUEUE = "GX_ERR_GLOBAL_QUEUE";

    /** The task has waited for {@code maxWait}: {@value}. */
    public static final String WAIT_TIMEOUT = "GX_ERR_WAIT_TIMEOUT";

    /** The executor, or the view that the task was given to, was shut down before: {@value}. */
    public static final String SHUTDOWN = "GX_ERR_SHUTDOWN";

    /**
     * The rejection handler threw, which is then the cause, or answered {@code REJECTED} without a reason: {@value}.
     */
    public static final String HANDLER = "GX_ERR_HANDLER";

    @Serial
    private static final long serialVersionUID = 1L;

    private final String code;
    private final String groupKey;
    private final String taskId;
    private final long limit;

    private RejectedTaskException(String code, String groupKey, String taskId, long limit, @Nullable Throwable cause) {
        super(cause);
        this.code = code;
        this.groupKey = groupKey;
        this.taskId = taskId;
        this.limit = limit;
    }

    static RejectedTaskException groupQueue(String groupKey, String taskId, int threshold) {
        return new RejectedTaskException(GROUP_QUEUE, groupKey, taskId, threshold, null);
    }

    static RejectedTaskException globalQueue(String groupKey, String taskId, int threshold) {
        return new RejectedTaskException(GLOBAL_QUEUE, groupKey, taskId, threshold, null);
    }

    static RejectedTaskException waitTimeout(String groupKey, String taskId, long maxWaitNanos) {
        return new RejectedTaskException(WAIT_TIMEOUT, groupKey, taskId, maxWaitNanos, null);
    }

    static RejectedTaskException shutdown(String groupKey, String taskId) {
        return new RejectedTaskException(SHUTDOWN, groupKey, taskId, 0, null);
    }

    static RejectedTaskException handler(String groupKey, String taskId, @Nullable Throwable cause) {
        return new RejectedTaskException(HANDLER, groupKey, taskId, 0, cause);
    }

    /** Returns the stable code of this refusal: one of the constants of this class. */
    @Override
    public String code() {
        return code;
    }

    /** Returns the key of the task's group. */
    @Override
    public String source() {
        return groupKey;
    }

    /** Returns {@link Duration#ZERO}: when there will be room is not known. */
    @Override
    public Duration retryAfter() {
        return Duration.ZERO;
    }

    @Override
    public String getMessage() {
        return "task '" + taskId + "' of group '" + groupKey + "' refused, " + reason();
    }

    private String reason() {
        return switch (code) {
            case GROUP_QUEUE -> "waiting in the group: " + limit + " (expected: < " + limit + ")";
            case GLOBAL_QUEUE -> "waiting in all: " + limit + " (expected: < " + limit + ")";
            case WAIT_TIMEOUT -> "it has waited for maxWait: " + Duration.ofNanos(limit);
            case SHUTDOWN -> "after a shutdown";
            default -> "by the rejection handler";
        };
    }

    // Not synchronized, unlike the overridden method: there is no trace to guard.
    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized")
    public Throwable fillInStackTrace() {
        return this;
    }
}
