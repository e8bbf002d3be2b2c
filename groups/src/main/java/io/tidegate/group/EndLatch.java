package io.tidegate.group;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Where threads wait for the end of a task. The first of them makes it, or the first caller that asks the handle for a
 * future; the latch keeps that future.
 */
final class EndLatch extends CompletableFuture<@Nullable Void> {
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<EndLatch, @Nullable ResultFuture> FUTURE =
            AtomicReferenceFieldUpdater.newUpdater(EndLatch.class, ResultFuture.class, "future");

    private volatile @Nullable ResultFuture<?> future;

    /** Returns the handle's future, which this method makes if there is none. */
    @SuppressWarnings({"unchecked", "NullAway"}) // a latch belongs to one task; once made, the future stays
    <T> ResultFuture<T> future(Task<T> task) {
        if (future == null) {
            FUTURE.compareAndSet(this, null, new ResultFuture<>(task));
        }
        return (ResultFuture<T>) future;
    }

    @Nullable
    ResultFuture<?> futureIfMade() {
        return future;
    }

    /** Completes futures in each way once: the JDK links that code at its first use, which needs memory. */
    static void warmUp() {
        EndLatch latch = new EndLatch();
        latch.open();
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<String> dependent = future.thenApply(value -> value);
        completeFully(future, "");
        completeFully(dependent, "");
    }

    /** Wakes the threads that wait. */
    void open() {
        completeFully(this, null);
    }

    /*
     * A dependent for which there is no memory has left the list when the error is thrown. The loop goes on with the
     * others.
     */
    private static <V> void completeFully(CompletableFuture<V> future, @Nullable V value) {
        for (; ; ) {
            try {
                future.complete(value);
                return;
            } catch (OutOfMemoryError one) {
                // the next round runs the others
            }
        }
    }

    /** The future that a handle hands out. */
    static final class ResultFuture<T> extends CompletableFuture<GroupResult<T>> {
        private final Task<T> task;

        /** The result if there is no memory for another one when the task ends. */
        private final GroupResult<T> reserve;

        ResultFuture(Task<T> task) {
            this.task = task;
            this.reserve =
                    new GroupResult<>(task.groupKey(), task.taskId(), TaskStatus.FAILED, null, new NoMemory(), 0, 0);
        }

        /** Called when the task has ended. */
        void end() {
            task.endFuture(this);
        }

        void endWithoutMemory() {
            completeFully(this, reserve);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return !isDone() && task.cancel(true);
        }
    }

    /** Each future has its own: a shared one would keep what receivers add as suppressed. Has no stack trace. */
    static final class NoMemory extends OutOfMemoryError {
        private static final long serialVersionUID = 1L;

        NoMemory() {
            super("for the result of a task");
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // there is no trace to guard
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
