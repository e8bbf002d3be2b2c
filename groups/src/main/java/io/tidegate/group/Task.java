package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import io.tidegate.group.EndLatch.ResultFuture;
import io.tidegate.stage.StackRoom;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A submitted task: its own node in the queue, and its own handle. */
@SuppressWarnings("ReferenceEquality") // states and threads are compared by identity
class Task<T> extends QueueNode implements TaskHandle<T> {
    /*
     * `state` says where the task is, and each way out of every state except ENDING is one compare-and-set. Its winner
     * alone continues with the task:
     *
     *   null                     waits, or has its permits and its thread has not come to it yet
     *   STARTING                 the listener is notified of the start
     *   a thread                 the body runs there
     *   a Stop                   the body runs, and an interrupt is on its way or has arrived
     *   RETURNING                the body has returned a stage; its permit to run is about to be back
     *   RETURNING_STOPPED        the same, and the thread that gives the permit back then ends the task as cancelled
     *   PENDING                  the stage that the body returned is pending
     *   ENDING                   decided; the winner gives back permits and notifies
     *   a GroupResult, or a Throwable: the end
     *
     * A cancel that takes a task from null owns it, queued or not: the thread that comes to run it finds it taken.
     *
     * The interrupt: the thread that cancels replaces the thread by a Stop, interrupts it, and marks the Stop as sent.
     * The thread leaves the body by taking itself out; if it finds a Stop instead, it waits for the mark, and only then
     * clears its interrupt flag. So an interrupt arrives inside the body or is cleared; it never reaches what the
     * thread does next.
     *
     * A Throwable is a refusal, or stands for a result that there was no memory for: the first thread to read the end
     * makes a result of it. So an end needs no memory.
     *
     * The thread that ends the task writes the end and then reads the latch; a thread that waits writes the latch and
     * then reads the state: one of them sees the other.
     */
    private static final Object STARTING = new Object();
    static final Object RETURNING = new Object();
    static final Object RETURNING_STOPPED = new Object();
    static final Object PENDING = new Object();
    static final Object ENDING = new Object();

    @SuppressWarnings("rawtypes") // an updater is made from a class literal, which has no type arguments
    private static final AtomicReferenceFieldUpdater<Task, @Nullable Object> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Task.class, Object.class, "state");

    @SuppressWarnings("rawtypes") // the same
    private static final AtomicReferenceFieldUpdater<Task, @Nullable EndLatch> LATCH =
            AtomicReferenceFieldUpdater.newUpdater(Task.class, EndLatch.class, "latch");

    private final String taskId;

    /** A GroupTask if a listener or handler needs it, otherwise the callable; null once the task is over. */
    private @Nullable Object work;

    private volatile @Nullable Object state;
    private volatile @Nullable EndLatch latch;

    static final class Stop {
        final Thread thread;
        volatile boolean sent;

        Stop(Thread thread) {
            this.thread = thread;
        }
    }

    Task(Group group, String taskId, Object work) {
        super(group);
        this.taskId = taskId;
        this.work = work;
    }

    final VirtualThreadGroupExecutor executor() {
        return ((Group) group).executor;
    }

    // ---- running ----

    /** Runs the task on this thread. Returns the task to go on with, or null. */
    @Nullable
    final Task<?> run(TaskLoop loop) {
        Thread thread = loop.thread();
        VirtualThreadGroupExecutor executor = executor();
        executor.recording().waitEnds(this);
        if (executor.hasListener()) {
            if (!become(null, STARTING)) {
                return null;
            }
            loop.forgetTime();
            executor.tellStarted(this);
        }
        Throwable unprepared = loop.prepare(this);
        if (!executor.hasListener()) {
            return become(null, thread) ? runBody(loop, unprepared) : null;
        }
        return become(STARTING, thread) ? runBody(loop, unprepared) : finish(cancelled(), group.end(this, loop.time()));
    }

    private @Nullable Task<?> runBody(TaskLoop loop, @Nullable Throwable unprepared) {
        executor().recording().holdBegins(this);
        long start = loop.time();
        Object value = null;
        Throwable thrown = unprepared;
        try {
            if (thrown == null) {
                value = callable().call();
            }
        } catch (Throwable whatever) {
            thrown = whatever;
        }
        loop.forgetTime();
        return afterBody(loop, start, value, thrown);
    }

    /** The body is over. Returns the task to go on with, or null. */
    @Nullable
    Task<?> afterBody(TaskLoop loop, long start, @Nullable Object value, @Nullable Throwable thrown) {
        boolean asked = leaveBody(loop.thread(), ENDING);
        boolean stopped = Thread.interrupted() && asked;
        long end = loop.time();
        QueueNode next = group.end(this, end);
        TaskStatus status = stopped && thrown != null ? TaskStatus.CANCELLED : statusOf(thrown);
        executor().recording().holdEnds(this, status);
        return finish(result(status, value, thrown, start, end), next);
    }

    /**
     * Ends the time in which a cancel interrupts the thread for this task. Returns whether a cancel has done so. The
     * interrupt flag is as the body left it.
     */
    final boolean leaveBody(Thread thread, Object next) {
        boolean asked = !become(thread, next);
        if (asked) {
            awaitInterrupt(next);
        }
        return asked;
    }

    private void awaitInterrupt(Object next) {
        for (; ; ) {
            Stop stop = (Stop) requireNonNull(state);
            if (stop.sent && become(stop, next)) {
                return;
            }
            PendingThreads.giveWay(); // the awaited thread may need this carrier
        }
    }

    /** Runs a refused task on the thread that submits it, without permits. */
    final void runHere() {
        long start = System.nanoTime();
        Object value = null;
        Throwable thrown = null;
        try {
            value = callable().call();
        } catch (Throwable whatever) {
            thrown = whatever;
            VirtualThreadGroupExecutor.keepInterrupt(whatever);
        }
        executor().bodyOfCallerIsOver();
        afterBodyHere(start, value, thrown);
    }

    void afterBodyHere(long start, @Nullable Object value, @Nullable Throwable thrown) {
        endRunHere(result(value, thrown, start, System.nanoTime()));
    }

    // ---- ending ----

    final boolean become(@Nullable Object from, Object to) {
        return STATE.compareAndSet(this, from, to);
    }

    /**
     * Ends the task; only the winner of the change to ENDING may call it. Returns the task to go on with, or null if
     * there is none or it has its own thread.
     */
    @Nullable
    final Task<?> finish(Object end, @Nullable QueueNode started) {
        Task<?> next = (Task<?>) started;
        VirtualThreadGroupExecutor executor = executor();
        executor.forgetIfRetired((Group) group);
        executor.measure(end);
        executor.taskCounts().completed();
        if (executor.hasListener()) {
            executor.start(next);
            next = null;
            if (end instanceof GroupResult<?> result) {
                executor.tellCompleted(this, result);
            }
        }
        ResultFuture<?> future = publish(end);
        executor.taskCounts().ended();
        if (future != null) {
            executor.start(next); // dependents are user code, and must not hold it back
            next = null;
            future.end();
        }
        return next;
    }

    /** Ends a task that was never accepted: neither counted nor reported. */
    void endRefused(Object end) {
        endIfMade(publish(end));
    }

    /**
     * Ends a refused task that its submitter has run. The task was counted and reported as refused, and is awaited
     * until now.
     */
    final void endRunHere(Object end) {
        endIfMade(endAwaited(end));
    }

    /**
     * Ends a task that was counted and reported as refused, and is awaited until now. Returns its future, if there is
     * one.
     */
    @Nullable
    final ResultFuture<?> endAwaited(Object end) {
        ResultFuture<?> future = publish(end);
        executor().taskCounts().ended();
        return future;
    }

    private static void endIfMade(@Nullable ResultFuture<?> future) {
        if (future != null) {
            future.end();
        }
    }

    /* Makes the end visible and wakes the threads that wait for it. Returns the task's future, if there is one. */
    private @Nullable ResultFuture<?> publish(Object end) {
        work = null;
        state = end;
        afterEnd(end);
        EndLatch awaited = latch;
        if (awaited == null) {
            return null;
        }
        awaited.open();
        return awaited.futureIfMade();
    }

    /** Called when the end has become visible. Must not run user code. */
    void afterEnd(Object end) {}

    /** Ends a task for which no thread can be started. Returns the next task, which needs a thread, too. */
    @Nullable
    final Task<?> failUnstarted(Throwable why) {
        if (!become(null, ENDING)) {
            return null;
        }
        executor().recording().waitEnds(this);
        Task<?> next = (Task<?>) group.end(this, System.nanoTime());
        finish(result(null, why, 0, 0), null);
        return next;
    }

    // ---- cancelling ----

    @Override
    public final boolean cancel(boolean mayInterruptIfRunning) {
        StackRoom.require();
        return cancelWithRoom(mayInterruptIfRunning);
    }

    /**
     * As {@link #cancel}, for callers that have checked their stack for room already, and must not be stopped half-way.
     */
    final boolean cancelWithRoom(boolean mayInterruptIfRunning) {
        if (take()) {
            endTaken();
            return true;
        }
        return stopReturning() || (mayInterruptIfRunning && interruptBody());
    }

    /** Stops a task whose body has just returned a stage, and which cannot be taken yet. */
    private boolean stopReturning() {
        return become(RETURNING, RETURNING_STOPPED) || state == RETURNING_STOPPED;
    }

    /**
     * Takes the task, if it waits or its stage is pending: it leaves the queue, and cannot start any more. {@link
     * #endTaken} must follow.
     */
    final boolean take() {
        for (; ; ) {
            Object seen = state;
            if (seen == null) {
                if (become(null, ENDING)) {
                    leaveQueue();
                    return true;
                }
            } else if (seen != PENDING) {
                return false;
            } else if (become(PENDING, ENDING)) {
                return true;
            }
        }
    }

    /** As {@link #take}, for a task that has waited for too long, has not started, and is to be refused. */
    final boolean takeWaiting() {
        if (!become(null, ENDING)) {
            return false;
        }
        leaveQueue();
        return true;
    }

    /** Whether the task is refused if it waits for too long. */
    boolean hasMaxWait() {
        return true;
    }

    private void leaveQueue() {
        executor().recording().waitEnds(this);
        if (!group.withdraw(this)) {
            executor().start((Task<?>) group.end(this, System.nanoTime()));
        }
    }

    /** Ends a task that was taken. */
    void endTaken() {
        finish(cancelled(), null);
    }

    private boolean interruptBody() {
        for (; ; ) {
            Object seen = state;
            if (seen == STARTING) {
                if (become(STARTING, ENDING)) {
                    return true; // the thread that starts it ends it instead
                }
            } else if (seen instanceof Thread thread) {
                if (interrupt(thread, thread)) {
                    return true;
                }
            } else if (seen instanceof Stop stop) {
                if (!stop.sent || interrupt(stop, stop.thread)) {
                    return true;
                }
            } else {
                return hasReturned(seen) && cancelWithRoom(true);
            }
        }
    }

    private static boolean hasReturned(@Nullable Object state) {
        return state == RETURNING || state == RETURNING_STOPPED || state == PENDING;
    }

    private boolean interrupt(Object seen, Thread thread) {
        Stop stop = new Stop(thread);
        if (!become(seen, stop)) {
            return false;
        }
        try {
            thread.interrupt();
        } catch (Throwable hostile) {
            // The channel that the body is blocked in could not be closed. The interrupt flag is set anyway.
        } finally {
            stop.sent = true;
        }
        return true;
    }

    /** Returns the thread that runs the body, if one does. */
    final @Nullable Thread runsOn() {
        Object seen = state;
        return seen instanceof Thread thread ? thread : seen instanceof Stop stop ? stop.thread : null;
    }

    // ---- results ----

    /*
     * Each of these methods returns an end: a GroupResult, or, if there is no memory for one, an error from which the
     * result is made later.
     */

    final Object result(@Nullable Object value, @Nullable Throwable error, long start, long end) {
        return result(statusOf(error), value, error, start, end);
    }

    private Object result(TaskStatus status, @Nullable Object value, @Nullable Throwable error, long start, long end) {
        try {
            return makeResult(status, value, error, start, end);
        } catch (Throwable noMemory) {
            return status == TaskStatus.CANCELLED ? Cancelled.WITHOUT_MEMORY : noMemory;
        }
    }

    final Object cancelled() {
        return cancelled(0, 0);
    }

    final Object cancelled(long start, long end) {
        try {
            return makeResult(TaskStatus.CANCELLED, null, new Cancelled(), start, end);
        } catch (Throwable noMemory) {
            return Cancelled.WITHOUT_MEMORY;
        }
    }

    @SuppressWarnings("unchecked") // the body of a Task<T> returns a T
    GroupResult<T> makeResult(
            TaskStatus status, @Nullable Object value, @Nullable Throwable error, long start, long end) {
        return new GroupResult<>(groupKey(), taskId, status, (T) value, error, start, end);
    }

    final GroupResult<T> rejected(@Nullable Throwable error) {
        return new GroupResult<>(groupKey(), taskId, TaskStatus.REJECTED, null, error, 0, 0);
    }

    static TaskStatus statusOf(@Nullable Throwable error) {
        if (error == null) {
            return TaskStatus.SUCCESS;
        }
        boolean stopped = error instanceof CancellationException
                || error instanceof InterruptedException
                || error instanceof ClosedByInterruptException;
        return stopped ? TaskStatus.CANCELLED : TaskStatus.FAILED;
    }

    /** The cause of a cancelled task. It has no stack trace of its own. */
    static final class Cancelled extends CancellationException {
        private static final long serialVersionUID = 1L;

        /** Stands for an error that there was no memory to make; each reader gets a new one. */
        @SuppressWarnings("StaticAssignmentOfThrowable") // nobody gets it
        static final Cancelled WITHOUT_MEMORY = new Cancelled();

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized") // there is no trace to guard
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    @SuppressWarnings("unchecked") // made for this task
    final GroupTask<T> groupTask() {
        return (GroupTask<T>) requireNonNull(work);
    }

    Callable<?> callable() {
        return work instanceof GroupTask<?> task ? task.callable() : (Callable<?>) requireNonNull(work);
    }

    // ---- the handle ----

    @Override
    public final String groupKey() {
        return group.key;
    }

    @Override
    public final String taskId() {
        return taskId;
    }

    @Override
    public final boolean isDone() {
        Object seen = state;
        return seen instanceof GroupResult || seen instanceof Throwable;
    }

    @Override
    public final GroupResult<T> await() throws InterruptedException {
        awaitEnd();
        return ended();
    }

    final void awaitEnd() throws InterruptedException {
        if (!isDone()) {
            EndLatch end = latch();
            executor().beginAwait(this);
            try {
                end.get();
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            } finally {
                executor().endAwait();
            }
        }
    }

    /** Waits uninterruptibly; a refusal is a result, too. */
    final GroupResult<T> resultEvenIfRefused() {
        try {
            return join();
        } catch (RejectedTaskException refused) {
            return rejected(refused);
        }
    }

    @Override
    public final GroupResult<T> await(long timeout, TimeUnit unit) throws InterruptedException, TimeoutException {
        requireNonNull(unit, "unit");
        if (!isDone()) {
            EndLatch end = latch();
            executor().beginAwait(this);
            try {
                end.get(timeout, unit);
            } catch (ExecutionException impossible) {
                throw new IllegalStateException(impossible);
            } finally {
                executor().endAwait();
            }
        }
        return ended();
    }

    @Override
    public final GroupResult<T> join() {
        if (!isDone()) {
            EndLatch end = latch();
            executor().beginAwait(this);
            try {
                end.join();
            } finally {
                executor().endAwait();
            }
        }
        return ended();
    }

    @Override
    public final GroupResult<T> join(long timeout, TimeUnit unit) throws TimeoutException {
        long nanos = Math.max(0, unit.toNanos(timeout));
        long start = System.nanoTime();
        boolean interrupted = false;
        try {
            for (; ; ) {
                try {
                    return await(nanos - (System.nanoTime() - start), TimeUnit.NANOSECONDS);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the latch, which this method makes if there is none. It is open once the task has ended. */
    private EndLatch latch() {
        EndLatch seen = latch;
        if (seen == null) {
            EndLatch mine = new EndLatch();
            seen = LATCH.compareAndSet(this, null, mine) ? mine : requireNonNull(latch);
            if (isDone()) {
                seen.complete(null);
            }
        }
        return seen;
    }

    @SuppressWarnings("unchecked") // the end of a Task<T>
    private GroupResult<T> ended() {
        Object end = requireNonNull(state);
        if (end instanceof RejectedTaskException refused) {
            throw refused;
        }
        if (end instanceof Throwable error) {
            Throwable own = error == Cancelled.WITHOUT_MEMORY ? new Cancelled() : error;
            become(error, makeResult(statusOf(own), null, own, 0, 0));
            end = requireNonNull(state);
        }
        return (GroupResult<T>) end;
    }

    @Override
    public final CompletableFuture<GroupResult<T>> toCompletableFuture() {
        ResultFuture<T> future = latch().future(this);
        if (isDone()) {
            endFuture(future);
        }
        return future;
    }

    final void endFuture(ResultFuture<T> future) {
        try {
            try {
                future.complete(ended());
            } catch (RejectedTaskException refused) {
                future.completeExceptionally(refused);
            }
        } catch (OutOfMemoryError noMemory) {
            future.endWithoutMemory();
        }
    }
}
