package io.tidegate.group;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Signals the end of a task. The first waiter creates it: threads wait for it, and it completes the handle's future.
 */
final class EndSignal extends CompletableFuture<@Nullable Void> {
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<EndSignal, @Nullable View> VIEW =
            AtomicReferenceFieldUpdater.newUpdater(EndSignal.class, View.class, "view");

    private volatile @Nullable View<?> view;

    /** Returns the handle's future, which this method makes if there is none. */
    @SuppressWarnings({"unchecked", "NullAway"}) // a signal is of one task; once made, the future stays
    <T> View<T> view(Task<T> task) {
        if (view == null) {
            VIEW.compareAndSet(this, null, new View<>(task));
        }
        return (View<T>) view;
    }

    @Nullable
    View<?> viewIfMade() {
        return view;
    }

    /** Ends futures in each way: what the JDK links for an end needs memory the first time. */
    static void playAll() {
        EndSignal signal = new EndSignal();
        signal.raise();
        CompletableFuture<String> future = new CompletableFuture<>();
        CompletableFuture<String> dependent = future.thenApply(value -> value);
        completeFully(future, "");
        completeFully(dependent, "");
    }

    /** Wakes who waits. */
    void raise() {
        completeFully(this, null);
    }

    /* A dependent that there is no memory for has left the list by then. It must not keep others from their turn. */
    private static <V> void completeFully(CompletableFuture<V> future, @Nullable V value) {
        for (; ; ) {
            try {
                future.complete(value);
                return;
            } catch (OutOfMemoryError one) {
                // the others are left
            }
        }
    }

    /** The future that a handle hands out. */
    static final class View<T> extends CompletableFuture<GroupResult<T>> {
        private final Task<T> task;

        /** What this ends with if there is no memory then. */
        private final GroupResult<T> reserve;

        View(Task<T> task) {
            this.task = task;
            this.reserve =
                    new GroupResult<>(task.groupKey(), task.taskId(), TaskStatus.FAILED, null, new NoMemory(), 0, 0);
        }

        /** The task has ended. */
        void end() {
            task.endView(this);
        }

        void endWithoutMemory() {
            completeFully(this, reserve);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return !isDone() && task.cancel(true);
        }
    }

    /** Each future has its own: a shared one would keep what each receiver adds as suppressed. Has no stack trace. */
    private static final class NoMemory extends OutOfMemoryError {
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
