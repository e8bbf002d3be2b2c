package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Runs tasks on virtual threads. Each task belongs to a group, and three limits hold at every instant: on the tasks in
 * flight in all groups together, on the tasks in flight in a group, and on the tasks running in a group. A task beyond
 * one of them waits, if its group's and the common threshold allow; otherwise it is refused inside {@code submit}.
 *
 * <p><b>A waiting task holds nothing</b>: no permit and no thread. So a stuck group never holds permits that another
 * one could use.
 *
 * <p><b>Order.</b> Tasks of one group start in the order of their submission. If several groups wait for a permit under
 * the common limit, the group that was served longest ago gets it; a new group counts as served at its creation. So a
 * group waits for at most one task of each other group.
 *
 * <p><b>Threads.</b> A virtual thread runs a task, and may then go on with the next one of the same group; it never
 * goes to another group. A thread-local that a body leaves set may be seen by a later task of its group, unless the
 * policy asks for {@link GroupPolicy.Builder#freshThreads() fresh threads}; inheritable ones are not inherited from the
 * submitter. Right before each task the thread's name is set to the group's, its context class loader to the system's,
 * and its interrupt flag is cleared: an interrupt by this executor that is meant for one task never reaches another.
 *
 * <p>Thread-safe. No method but {@link #executeAll}, {@link #shutdown(Duration)} and {@link #close()} waits, except
 * that {@link RejectionPolicy#CALLER_RUNS} runs a refused task inside {@code submit}. What a thread did before {@code
 * submit} happens before the task's body. Null arguments throw a {@code NullPointerException}. If the caller's stack
 * has too little room, these methods and {@link TaskHandle#cancel} throw a {@code StackOverflowError} before they do
 * anything; those that wait may also throw one instead of waiting.
 */
public interface GroupExecutor extends Part, AutoCloseable {
    /** The name unless set: {@value}. */
    String DEFAULT_NAME = "group-executor";

    /** How many groups {@link #read} reports, the most loaded ones: {@value}. */
    int GROUPS_TOLD = 5;

    /** Returns an executor under this policy. It has no thread until it has a task. */
    static GroupExecutor newVirtualThreadExecutor(GroupPolicy policy) {
        return new VirtualThreadGroupExecutor(requireNonNull(policy, "policy"));
    }

    /**
     * Submits a task. Never throws for a refusal: that is in the handle.
     *
     * @throws IllegalStateException after a shutdown
     */
    <T> TaskHandle<T> submit(GroupTask<T> task);

    /**
     * Submits a task. Never throws for a refusal: that is in the handle.
     *
     * @throws IllegalStateException after a shutdown
     */
    <T> TaskHandle<T> submit(String groupKey, String taskId, Callable<T> callable);

    /**
     * Submits a task without a value. Never throws for a refusal: that is in the handle. It has another name than
     * {@code submit}, so that a null body or a reference to an overloaded method is never ambiguous there.
     *
     * @throws IllegalStateException after a shutdown
     */
    default TaskHandle<Void> run(String groupKey, String taskId, Runnable runnable) {
        requireNonNull(runnable, "runnable");
        return submit(groupKey, taskId, Executors.callable(runnable, null));
    }

    /**
     * Submits a task that starts asynchronous work. It counts as running while the callable runs, and as in flight
     * until the stage has ended; the handle ends with the stage. A null stage is {@link TaskStatus#FAILED}.
     *
     * <p>If the handle is cancelled while the stage is pending, by {@link TaskHandle#cancel}, a shutdown or the
     * time-out of a shutdown, it ends at once; the work keeps its permits until the stage ends, and nothing waits for
     * it.
     *
     * @throws IllegalStateException after a shutdown
     */
    <T> TaskHandle<T> submitStage(String groupKey, String taskId, Callable<? extends CompletionStage<T>> callable);

    /**
     * Submits all, waits for all, and returns one result for each, in their order. A failure affects only its own task;
     * a refusal is a result too, and tasks after a shutdown are refused. If the caller is interrupted, tasks that have
     * not ended are cancelled, waiting ones before running ones, their results are awaited, and the interrupt flag is
     * set again.
     *
     * <p>From inside a task, this waits with that task's permits held: see the guide on nested submits.
     *
     * @throws NullPointerException if a task is null; then none was submitted
     * @throws IllegalStateException after a shutdown; then none was submitted
     */
    <T> List<GroupResult<T>> executeAll(Collection<GroupTask<T>> tasks);

    /**
     * Returns a new view of a group for code that needs an {@code ExecutorService}. Its tasks are the group's, under
     * all its limits; listeners see them with the id {@code "executor"}.
     *
     * <p><b>Refusals.</b> {@code execute}, {@code submit}, {@code invokeAll} and {@code invokeAny} throw {@link
     * RejectedTaskException} for a task that is refused, under {@link RejectionPolicy#DISCARD} too: there is no result
     * to read it from. They also do so after a shutdown of the view or of this executor. Under {@link
     * RejectionPolicy#CALLER_RUNS} the caller runs the task instead. A handler's result ends the future; if it is
     * {@link TaskStatus#REJECTED}, the call throws. For {@code execute} a handler must run the task or answer {@code
     * REJECTED}. A task that is refused later, because of {@link GroupPolicy.Builder#maxWait}, has the refusal as the
     * cause of the {@code ExecutionException}; tasks of {@code execute} run however late.
     *
     * <p><b>Ends.</b> A task that is {@link TaskStatus#CANCELLED}, for example by {@link #shutdownGroup}, is a
     * cancelled future; a task of {@code execute} that was taken from the queue in this way is dropped. What a runnable
     * of {@code execute} throws goes to its thread's uncaught exception handler, and the task is {@link
     * TaskStatus#FAILED}. {@code Future.cancel} ends the future at once; a waiting task leaves the queue, a running one
     * is interrupted if asked and keeps its permits until it has ended. When a future has ended in another way, its
     * task's permits are back.
     *
     * <p><b>Shutdown</b> of the view concerns the tasks that were given to it: the group, its other tasks and other
     * views go on. {@code shutdownNow} interrupts those that run and returns those that wait: the runnables given to
     * {@code execute}, and for the others, whose futures are cancelled, a runnable that calls the body. {@code close}
     * waits for the view's tasks, unlike {@link #close()}.
     */
    ExecutorService executor(String groupKey);

    /**
     * Forgets a group: at once if it is idle, else as soon as it is. Its next task after that determines its limits
     * again. Does not wait; an unknown group is not an error.
     */
    void evictGroup(String groupKey);

    /**
     * Forgets all groups that have been idle for at least this long, as {@link #evictGroup} does. Visits all groups:
     * call it now and then, not for each task.
     */
    void evictIdle(Duration atLeast);

    /**
     * Sets how many tasks of all groups are in flight at once. Waiting tasks that fit under a higher limit are started;
     * if more tasks are in flight than a lower limit allows, they go on, and none starts until enough of them have
     * ended.
     *
     * @throws IllegalArgumentException if the limit is below 1
     */
    void setGlobalMaxInFlight(int limit);

    /**
     * Sets how many tasks of a group run at once, until the group is evicted. Waiting tasks that fit under a higher
     * limit are started; if more tasks run than a lower limit allows, they go on, and none starts until enough of them
     * have ended. An unknown group is created.
     *
     * @throws IllegalArgumentException if the limit is below 1
     */
    void setMaxConcurrency(String groupKey, int limit);

    /**
     * Cancels the waiting tasks of a group and interrupts its running ones, also the calling task, but not those that
     * their submitters run under {@link RejectionPolicy#CALLER_RUNS}. Other groups are not affected, and this one can
     * be used again at once. Does not wait.
     */
    void shutdownGroup(String groupKey);

    /** Refuses new tasks from now on; those accepted run to their end, and idle groups are forgotten. Does not wait. */
    void shutdown();

    /**
     * Refuses new tasks from now on and waits for the accepted ones. When the time is up, or if the caller is
     * interrupted (its flag is then set again), cancels the waiting ones and interrupts the running ones, without
     * waiting for them to end. Called from inside a task, it does not wait for that one. It also waits for refused
     * tasks that their callers run under {@link RejectionPolicy#CALLER_RUNS}, and cancels their pending stages; their
     * bodies are never interrupted.
     *
     * @return whether all bodies have ended, including those run by a caller
     */
    boolean shutdown(Duration timeout);

    /**
     * <b>Cancels, while {@code ExecutorService.close()} would wait for accepted tasks.</b> To let them end first, call
     * {@link #shutdown(Duration)} right before this, with any time.
     *
     * <p>Refuses new tasks, cancels the waiting ones, interrupts the running ones, and waits until all have ended. An
     * interrupt of the caller does not shorten the wait; the flag is set again afterwards. Called from inside a task or
     * a callback of the listener, it does not wait for that task, nor for tasks that wait for that one, by {@code join}
     * or {@code executeAll}. It also waits for bodies run by their caller under {@link RejectionPolicy#CALLER_RUNS},
     * unless it is called from inside one; they run on that caller's thread, and are not interrupted. It does not wait
     * for their pending stages: their handles end as cancelled.
     */
    @Override
    void close();

    /** Returns the figures of all groups together. */
    GroupExecutorStats stats();

    /** Returns the figures of one group; empty if it is unknown or forgotten. */
    Optional<GroupStats> groupStats(String groupKey);

    /** Returns the figures of each group, idle ones too, read one after the other and in no order. */
    List<GroupStats> groups();

    /** Returns the name in the policy, or {@value #DEFAULT_NAME}. */
    @Override
    default String name() {
        return DEFAULT_NAME;
    }

    /** Returns {@code "group"}. */
    @Override
    default String kind() {
        return "group";
    }

    /** Reports all groups together, and the {@value #GROUPS_TOLD} most loaded ones. */
    @Override
    default void read(Reading to) {
        GroupExecutorStats stats = stats();
        to.gauge("groups", stats.groups());
        to.gauge("running", stats.running());
        to.gauge("in.flight", stats.inFlight());
        to.gauge("waiting", stats.waiting());
        to.count("submitted", stats.submitted());
        PriorityQueue<GroupStats> told = new PriorityQueue<>(
                Comparator.<GroupStats>comparingLong(group -> (long) group.waiting() + group.inFlight())
                        .thenComparing(GroupStats::groupKey, Comparator.reverseOrder()));
        for (GroupStats group : groups()) {
            told.add(group);
            if (told.size() > GROUPS_TOLD) {
                told.remove();
            }
        }
        for (GroupStats group : told) {
            to.gauge("group.in.flight", group.inFlight(), "group", group.groupKey());
            to.gauge("group.waiting", group.waiting(), "group", group.groupKey());
        }
    }
}
