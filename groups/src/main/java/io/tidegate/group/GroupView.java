package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import io.tidegate.stage.StackRoom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A group as an {@code ExecutorService}. */
final class GroupView extends AbstractExecutorService {
    /*
     * `state` is the number of this view's tasks that have not ended, with the sign bit set once the view is shut down.
     * A task is counted before it enters the group, and only if the bit is not set; its end subtracts it. So the step
     * after which only the bit is left terminates the view.
     *
     * `stopped` is written before shutdownNow looks for tasks in the group, and read after a task has entered it:
     * either shutdownNow finds the task, or the submitter finds `stopped` set.
     */
    private static final long CLOSED = Long.MIN_VALUE;
    private static final String TASK_ID = "executor";
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final VirtualThreadGroupExecutor executor;
    private final String groupKey;
    private final AtomicLong state = new AtomicLong();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private volatile boolean stopped;

    GroupView(VirtualThreadGroupExecutor executor, String groupKey) {
        this.executor = executor;
        this.groupKey = groupKey;
    }

    // ---- submitting ----

    @Override
    public void execute(Runnable command) {
        Callable<?> body = command instanceof ViewFuture<?> future ? future.body() : new RunnableBody(command);
        StackRoom.require();
        ViewTask<?> task = begin() ? enter(body, command) : null;
        if (task == null) {
            throw executor.refusedByShutdown(groupKey, TASK_ID);
        }
        if (stopped) {
            stop(task);
        }
        if (task.refusedOnEntry) {
            GroupResult<?> end = task.resultEvenIfRefused();
            if (end.status() == TaskStatus.REJECTED) {
                throw end.refusal();
            }
        }
    }

    private boolean begin() {
        for (; ; ) {
            long seen = state.get();
            if (seen < 0 || executor.isShutdown()) {
                return false;
            }
            if (state.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
    }

    private void end() {
        if (state.decrementAndGet() == CLOSED) {
            try {
                terminated.countDown();
            } catch (OutOfMemoryError unwoken) {
                // the count is zero nevertheless, and awaitTermination checks at intervals; the task's end must go on
            }
        }
    }

    private @Nullable ViewTask<?> enter(Callable<?> body, Runnable given) {
        Task<?> task = null;
        try {
            task = executor.enter(
                    new GroupTask<>(groupKey, TASK_ID, body),
                    (group, taskId, work) -> new ViewTask<>(group, taskId, work, this, given));
        } finally {
            if (task == null) {
                end();
            }
        }
        return (ViewTask<?>) task;
    }

    private void stop(Task<?> task) {
        if (task.take()) {
            task.endTaken();
            throw RejectedTaskException.shutdown(groupKey, TASK_ID);
        }
        task.cancelWithRoom(true);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Callable<T> callable) {
        return new ViewFuture<>(callable, null);
    }

    @Override
    protected <T> RunnableFuture<T> newTaskFor(Runnable runnable, T value) {
        return newTaskFor(Executors.callable(runnable, value));
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        try {
            return any(tasks, Long.MAX_VALUE);
        } catch (TimeoutException inCenturies) {
            throw new IllegalStateException(inCenturies);
        }
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        return any(tasks, unit.toNanos(timeout));
    }

    /*
     * Replaces the inherited method, which hands its own runnables to execute, so that the group would not know how the
     * tasks end.
     */
    private <T> T any(Collection<? extends Callable<T>> tasks, long nanos)
            throws InterruptedException, ExecutionException, TimeoutException {
        long start = System.nanoTime();
        List<Callable<T>> given = new ArrayList<>(tasks);
        BlockingQueue<Future<T>> ended = new ArrayBlockingQueue<>(Math.max(1, given.size())); // an end needs no memory
        List<Future<T>> futures = new ArrayList<>(given.size());
        ExecutionException failure = null;
        try {
            for (Callable<T> task : given) {
                ViewFuture<T> future = new ViewFuture<>(task, ended);
                execute(future);
                futures.add(future);
            }
            for (int i = 0; i < futures.size(); i++) {
                Future<T> first = ended.poll(nanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
                if (first == null) {
                    throw new TimeoutException();
                }
                try {
                    return first.get();
                } catch (ExecutionException failed) {
                    failure = failed;
                } catch (CancellationException cancelled) {
                    failure = new ExecutionException(cancelled);
                }
            }
        } finally {
            futures.forEach(future -> future.cancel(true));
        }
        if (failure == null) {
            throw new IllegalArgumentException("tasks: [] (expected: at least one)");
        }
        throw failure;
    }

    // ---- shutting down ----

    @Override
    public void shutdown() {
        if ((state.getAndUpdate(seen -> seen | CLOSED) | CLOSED) == CLOSED) {
            terminated.countDown();
        }
    }

    @Override
    public List<Runnable> shutdownNow() {
        StackRoom.require();
        shutdown();
        stopped = true;
        Deque<Runnable> unstarted = new ArrayDeque<>();
        executor.cancelAll(
                groupKey,
                task -> task instanceof ViewTask<?> mine && mine.view == this,
                taken -> unstarted.addFirst(((ViewTask<?>) taken).unstarted()));
        return List.copyOf(unstarted);
    }

    @Override
    public boolean isShutdown() {
        if (executor.isShutdown()) {
            shutdown();
        }
        return state.get() < 0;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown() && state.get() == CLOSED;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        long start = System.nanoTime();
        long nanos = unit.toNanos(timeout);
        while (!isTerminated()) {
            long left = nanos - (System.nanoTime() - start);
            if (left <= 0) {
                return false;
            }
            // views are not notified of the executor's own shutdown, so they check at intervals
            terminated.await(Math.min(left, LOOK_AGAIN_NANOS), TimeUnit.NANOSECONDS);
        }
        return true;
    }

    @Override
    public String toString() {
        String is = isTerminated() ? "terminated" : isShutdown() ? "shut down" : "open";
        return "GroupExecutor.executor(" + groupKey + ", " + is + ", tasks: " + (state.get() & ~CLOSED) + ")";
    }

    // ---- tasks ----

    /** The body that {@code execute} makes of a runnable. */
    record RunnableBody(Runnable command) implements Callable<@Nullable Void> {
        RunnableBody {
            requireNonNull(command, "command");
        }

        @Override
        public @Nullable Void call() {
            try {
                command.run();
                return null;
            } catch (Throwable thrown) {
                tell(thrown);
                throw thrown;
            }
        }

        @SuppressWarnings("EmptyCatch") // whatever is notified could throw, too
        private static void tell(Throwable thrown) {
            Thread me = Thread.currentThread();
            try {
                me.getUncaughtExceptionHandler().uncaughtException(me, thrown);
            } catch (Throwable dropped) {
                // the task fails with what it threw itself
            }
        }
    }

    /**
     * The future that {@code submit} returns. It is not run as a {@code FutureTask}: the group's task calls the body,
     * and ends the future.
     */
    static final class ViewFuture<T> extends FutureTask<T> {
        private final @Nullable Collection<? super ViewFuture<T>> ended;
        private @Nullable Callable<T> body;
        private volatile @Nullable Task<?> task;

        ViewFuture(Callable<T> body, @Nullable Collection<? super ViewFuture<T>> ended) {
            super(body);
            this.body = body;
            this.ended = ended;
        }

        /** Ends a future in each way once: the JDK links that code at its first use, which needs memory. */
        static void warmUp() {
            for (TaskStatus status : TaskStatus.values()) {
                new ViewFuture<>(() -> "", null).end(new GroupResult<>("", "", status, "", new Task.Cancelled(), 0, 0));
            }
            new ViewFuture<>(() -> "", null).end(new OutOfMemoryError());
            new ViewFuture<>(() -> "", null).end(Task.Cancelled.WITHOUT_MEMORY);
        }

        Callable<T> body() {
            return requireNonNull(body, "body");
        }

        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            StackRoom.require();
            Task<?> entered = task;
            if (!super.cancel(mayInterruptIfRunning)) {
                return false;
            }
            if (entered != null) {
                entered.cancelWithRoom(mayInterruptIfRunning);
            }
            return true;
        }

        @SuppressWarnings("unchecked") // the result of this future's own task
        void end(Object end) {
            if (!(end instanceof GroupResult<?> result)) {
                if (Task.statusOf((Throwable) end) == TaskStatus.CANCELLED) {
                    super.cancel(false);
                } else {
                    setException((Throwable) end);
                }
                return;
            }
            switch (result.status()) {
                case SUCCESS -> set((T) result.value());
                case FAILED -> setException(result.error());
                case CANCELLED -> super.cancel(false);
                case REJECTED -> setException(result.refusal());
            }
        }

        /** A caller that keeps an ended future keeps no task. */
        @Override
        protected void done() {
            body = null;
            task = null;
            if (ended != null) {
                ended.add(this);
            }
        }
    }

    /** A task of a view. */
    static final class ViewTask<T> extends Task<T> {
        private final GroupView view;
        private final Runnable given;

        /** Written and read by the submitting thread. A task that was refused after it had waited is not marked. */
        private boolean refusedOnEntry;

        ViewTask(Group group, String taskId, Object work, GroupView view, Runnable given) {
            super(group, taskId, work);
            this.view = view;
            this.given = given;
            if (given instanceof ViewFuture<?> future) {
                future.task = this;
            }
        }

        @Override
        void endRefused(Object end) {
            refusedOnEntry = true;
            super.endRefused(end);
        }

        /** A caller of {@code execute} relies on its runnable being run, and cannot be notified otherwise. */
        @Override
        boolean hasMaxWait() {
            return given instanceof ViewFuture<?>;
        }

        /** The work of a task that was taken from the queue, for the caller of {@code shutdownNow}. */
        Runnable unstarted() {
            return given instanceof ViewFuture<?> ? new FutureTask<>(callable()) : given;
        }

        @Override
        void afterEnd(Object end) {
            try {
                if (given instanceof ViewFuture<?> future) {
                    future.end(end);
                }
            } catch (OutOfMemoryError unwoken) {
                // the future has ended nevertheless
            }
            view.end();
        }
    }
}
