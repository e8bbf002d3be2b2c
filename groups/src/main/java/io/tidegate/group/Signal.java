package io.tidegate.group;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** Made by the first that waits for a task's end: threads wait for it, and futures handed out hang on it. */
final class Signal extends CompletableFuture<@Nullable Void> {
    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<Signal, @Nullable View> VIEWS =
            AtomicReferenceFieldUpdater.newUpdater(Signal.class, View.class, "views");

    private static final View<?> CLOSED = new View<>(null);

    private volatile @Nullable View<?> views;

    /** Hangs a future on the end; false if that has come. */
    boolean add(View<?> view) {
        for (; ; ) {
            View<?> seen = views;
            if (seen == CLOSED) {
                return false;
            }
            view.next = seen;
            if (VIEWS.compareAndSet(this, seen, view)) {
                return true;
            }
        }
    }

    /** Returns the futures that hang on the end, linked; from now on there are no more. */
    @Nullable
    View<?> takeViews() {
        View<?> taken = VIEWS.getAndSet(this, CLOSED);
        return taken == CLOSED ? null : taken;
    }

    /** A future handed out by a handle. */
    static final class View<T> extends CompletableFuture<GroupResult<T>> {
        private final @Nullable Task<T> task;

        @Nullable
        View<?> next;

        View(@Nullable Task<T> task) {
            this.task = task;
        }

        /** Their task has ended. */
        static void endAll(@Nullable View<?> first) {
            View<?> view = first;
            while (view != null) {
                View<?> after = view.next;
                view.next = null;
                view.end();
                view = after;
            }
        }

        private void end() {
            if (task != null) {
                task.endView(this);
            }
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            return !isDone() && task != null && task.cancel(true);
        }
    }
}
