package io.tidegate.group;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A submitted task. Thread-safe. Every handle ends; when it is seen as done, the task's permits are back and the
 * listener has returned. Actions of the task's body happen before those of a thread that has seen its end.
 *
 * @param <T> the type of the task's value
 */
public interface TaskHandle<T> {
    /** Returns the task's group. */
    String groupKey();

    /** Returns the task's name. */
    String taskId();

    /** Returns whether the task has ended, however it did. */
    boolean isDone();

    /**
     * Waits for the end. The result is there for failed and cancelled tasks too.
     *
     * @throws InterruptedException if interrupted while waiting; the task is left alone
     * @throws RejectedTaskException if the task was refused under {@link RejectionPolicy#ABORT}
     */
    GroupResult<T> await() throws InterruptedException;

    /**
     * Waits for the end, for at most this long.
     *
     * @throws InterruptedException if interrupted while waiting; the task is left alone
     * @throws TimeoutException if the time is up; the task is left alone
     * @throws RejectedTaskException if the task was refused under {@link RejectionPolicy#ABORT}
     */
    GroupResult<T> await(long timeout, TimeUnit unit) throws InterruptedException, TimeoutException;

    /**
     * Waits for the end, uninterruptibly. If interrupted, sets the flag again afterwards.
     *
     * @throws RejectedTaskException if the task was refused under {@link RejectionPolicy#ABORT}
     */
    GroupResult<T> join();

    /**
     * Waits for the end, for at most this long, uninterruptibly. If interrupted, sets the flag again afterwards.
     *
     * @throws TimeoutException if the time is up; the task is left alone
     * @throws RejectedTaskException if the task was refused under {@link RejectionPolicy#ABORT}
     */
    GroupResult<T> join(long timeout, TimeUnit unit) throws TimeoutException;

    /**
     * Waits for the end, and returns the value of a success. Like {@code await().orElseThrow()}, but for the exception
     * of a failed task.
     *
     * @throws InterruptedException if interrupted while waiting; the task is left alone
     * @throws ExecutionException if the task failed; its cause is what the task threw
     * @throws CancellationException if the task was cancelled
     * @throws RejectedTaskException if the task was refused, whatever the policy
     */
    default @Nullable T get() throws InterruptedException, ExecutionException {
        GroupResult<T> result = await();
        try {
            return result.orElseThrow();
        } catch (CompletionException failed) {
            throw new ExecutionException(result.error());
        }
    }

    /**
     * Asks the task to end. A waiting task leaves the queue and ends at once. A task whose stage is pending ends at
     * once, too, but its work goes on and keeps its permits. A running body is interrupted if that is allowed, and left
     * alone otherwise; the task ends when the body does, with what it returns or throws. If it returns a stage, the
     * task is cancelled.
     *
     * @return whether the task was cancelled or its body interrupted; false once the body has ended
     */
    boolean cancel(boolean mayInterruptIfRunning);

    /**
     * Returns a future that ends with the result, right after the handle does; the same one each time. Its {@code
     * cancel} is {@link #cancel cancel(true)}: it asks the task, and the future ends when the task does. Other ways to
     * end the future leave the task alone, but all users of the handle see that end: use a {@code copy()} for an {@code
     * orTimeout}. Under {@link RejectionPolicy#ABORT} it ends with a {@link RejectedTaskException}. Starts no thread:
     * dependents run on the thread that ends the task.
     */
    CompletableFuture<GroupResult<T>> toCompletableFuture();
}
