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

    /** The future that a handle hands out. */
    static final class View<T> extends CompletableFuture<GroupResult<T>> {
        private final Task<T> task;

        View(Task<T> task) {
            this.task = task;
        }

        /** The task has ended. */
        void end() {
            task.endView(this);
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return !isDone() && task.cancel(true);
        }
    }
}
