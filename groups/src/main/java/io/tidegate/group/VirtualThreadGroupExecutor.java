package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import io.tidegate.Reading;
import io.tidegate.measure.Ends;
import io.tidegate.measure.FlightEvents;
import io.tidegate.measure.Times;
import io.tidegate.stage.StackRoom;
import io.tidegate.stage.Stages;
import java.lang.invoke.MethodHandles;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Finds a task's group, asks whether the task may start, and runs it. */
final class VirtualThreadGroupExecutor implements GroupExecutor {
    /*
     * The groups decide which tasks may start; this class holds no lock. A task that an operation of a group starts
     * gets a thread, or the current thread goes on with it, before any user code runs. Operations that need room on the
     * caller's stack check for it first: see StackRoom. Memory can end anywhere: an accepted task ends without any, and
     * a task for which submit throws was not accepted.
     */
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

    /** Makes a task for a group, from its id and from what {@link Task} calls its work. */
    interface Maker {
        Task<?> make(Group group, String taskId, Object work);
    }

    /** The body of a task whose decorator failed. */
    private record Undecorated(Throwable error) implements Callable<Object> {
        @Override
        public Object call() throws Exception {
            if (error instanceof Error thrown) {
                throw thrown;
            }
            throw error instanceof Exception thrown ? thrown : new ExecutionException(error);
        }
    }

    private static final Maker PLAIN = Task::new;
    private static final Maker WITH_STAGE = AsyncTask::new;

    static {
        // A virtual thread that waits for the initialization of a class keeps its carrier. So all classes are
        // initialized before the first task. Those of the JDK are loaded here, because there may be no memory for that
        // when a task ends.
        for (Class<?> used : List.of(
                Ends.class,
                FlightEvents.class,
                Group.class,
                GroupResult.class,
                GroupStats.class,
                GroupTask.class,
                GroupView.class,
                GroupView.RunnableBody.class,
                GroupView.ViewFuture.class,
                GroupView.ViewTask.class,
                Tally.class,
                EnclosingTasks.class,
                EnclosingTasks.TasksInHand.class,
                TaskRecording.class,
                TaskRecording.Begun.class,
                GroupQueue.Admission.class,
                RejectedTaskException.class,
                TaskLoop.class,
                SpinThenParkLock.class,
                EndLatch.class,
                EndLatch.NoMemory.class,
                EndLatch.ResultFuture.class,
                StackRoom.class,
                AsyncTask.class,
                AsyncTask.Body.class,
                PendingThread.class,
                PendingThreads.class,
                Task.class,
                Task.Cancelled.class,
                Task.Stop.class,
                TaskStatus.class,
                Times.class,
                Undecorated.class,
                Stages.class,
                CancellationException.class,
                ClosedByInterruptException.class,
                CompletionException.class,
                CompletionStage.class,
                ExecutionException.class,
                InterruptedException.class,
                OutOfMemoryError.class)) {
            try {
                MethodHandles.lookup().ensureInitialized(used);
            } catch (IllegalAccessException impossible) {
                throw new ExceptionInInitializerError(impossible);
            }
        }
        EndLatch.warmUp();
        AsyncTask.warmUp();
        GroupView.ViewFuture.warmUp();
    }

    private final GroupPolicy policy;
    private final @Nullable TaskLifecycleListener listener;
    private final @Nullable UnaryOperator<Callable<?>> decorator;
    private final @Nullable WaitLimit waitLimit;
    private final ThreadFactory threads;
    private final SharedPermits shared;
    private final ConcurrentHashMap<String, Group> groups = new ConcurrentHashMap<>();
    private final TaskCounts taskCounts = new TaskCounts();
    private final Ends ends = new Ends();
    private final Times runs = new Times();
    private final TaskRecording recording;
    private final LongAdder refusedByShutdown = new LongAdder();
    private final EnclosingTasks enclosing = new EnclosingTasks();
    private final AtomicInteger bodiesOfCallers = new AtomicInteger();

    /** Pending stages of refused tasks that their submitters have run: no group knows of them. */
    private final Set<AsyncTask<?>> stagesOfCallers = ConcurrentHashMap.newKeySet();

    private volatile boolean stopped;

    VirtualThreadGroupExecutor(GroupPolicy policy) {
        // Threads inherit nothing from a submitter, because they go on with tasks of other submitters.
        this(policy, Thread.ofVirtual().inheritInheritableThreadLocals(false).factory());
    }

    VirtualThreadGroupExecutor(GroupPolicy policy, ThreadFactory threads) {
        this.policy = policy;
        this.recording = new TaskRecording(kind(), policy.name());
        this.listener = policy.listener();
        this.decorator = policy.taskDecorator();
        Duration maxWait = policy.maxWait();
        this.waitLimit = maxWait == null ? null : new WaitLimit(this, nanos(maxWait));
        this.threads = threads;
        this.shared = new SharedPermits(policy.globalMaxInFlight(), policy.globalQueueThreshold(), System::nanoTime);
    }

    TaskRecording recording() {
        return recording;
    }

    TaskCounts taskCounts() {
        return taskCounts;
    }

    boolean hasFreshThreads() {
        return policy.hasFreshThreads();
    }

    // ---- submitting ----

    @Override
    public <T> TaskHandle<T> submit(GroupTask<T> task) {
        requireNonNull(task, "task");
        requireOpen();
        return accepted(enter(task, PLAIN));
    }

    @Override
    public <T> TaskHandle<T> submit(String groupKey, String taskId, Callable<T> callable) {
        if (isWatched()) {
            return submit(new GroupTask<>(groupKey, taskId, callable));
        }
        requireNonNull(groupKey, "groupKey");
        requireNonNull(taskId, "taskId");
        requireNonNull(callable, "callable");
        requireOpen();
        return accepted(enter(groupKey, taskId, decorated(callable), PLAIN));
    }

    @Override
    public <T> TaskHandle<T> submitStage(
            String groupKey, String taskId, Callable<? extends CompletionStage<T>> callable) {
        requireNonNull(groupKey, "groupKey");
        requireNonNull(taskId, "taskId");
        requireNonNull(callable, "callable");
        requireOpen();
        GroupTask<T> task = new GroupTask<>(groupKey, taskId, new AsyncTask.Body<>(decorated(callable)));
        if (listener != null) {
            tellSubmitted(task);
        }
        return accepted(enter(groupKey, taskId, task, WITH_STAGE));
    }

    private void requireOpen() {
        StackRoom.require();
        if (shared.isClosed()) {
            throw shutDown();
        }
    }

    private static <T> Task<T> accepted(@Nullable Task<T> task) {
        if (task == null) {
            throw shutDown();
        }
        return task;
    }

    private static IllegalStateException shutDown() {
        return new IllegalStateException("the executor was shut down");
    }

    /** Returns whether a listener or handler needs the tasks. */
    private boolean isWatched() {
        return listener != null || policy.rejectionHandler() != null;
    }

    @SuppressWarnings("unchecked") // a decorator must return what it was given
    private <C extends Callable<?>> C decorated(C body) {
        if (decorator == null) {
            return body;
        }
        Callable<?> made;
        try {
            made = requireNonNull(decorator.apply(body), "taskDecorator: null (expected: a callable)");
        } catch (Throwable thrown) {
            keepInterrupt(thrown);
            made = new Undecorated(thrown);
        }
        return (C) made;
    }

    /** Returns null if the executor was shut down before the task got in. */
    <T> @Nullable Task<T> enter(GroupTask<T> given, Maker maker) {
        GroupTask<T> task = decorator == null
                ? given
                : new GroupTask<>(given.groupKey(), given.taskId(), decorated(given.callable()));
        if (listener != null) {
            tellSubmitted(task);
        }
        Object work = isWatched() ? task : task.callable();
        return enter(task.groupKey(), task.taskId(), work, maker);
    }

    @SuppressWarnings("unchecked") // the work returns a T
    private <T> @Nullable Task<T> enter(String key, String id, Object work, Maker maker) {
        for (; ; ) {
            Group group = group(key);
            Task<T> task = (Task<T>) maker.make(group, id, work);
            recording.mayWait(task);
            taskCounts.entered();
            GroupQueue.Admission admission = group.admit(task);
            if (admission != GroupQueue.Admission.WAITING) {
                recording.waitsNot(task);
            }
            if (admission == GroupQueue.Admission.STARTED) {
                start(task);
            } else if (admission == GroupQueue.Admission.WAITING) {
                if (waitLimit != null) {
                    waitLimit.watch(group);
                }
            } else if (admission == GroupQueue.Admission.REFUSED || admission == GroupQueue.Admission.REFUSED_BY_ALL) {
                refuse(task, admission == GroupQueue.Admission.REFUSED);
            } else if (admission == GroupQueue.Admission.CLOSED) {
                shutOut(task);
                return null;
            } else if (admission == GroupQueue.Admission.RETIRED) {
                taskCounts.turnedAway();
                forgetIfRetired(group);
                continue;
            }
            return task;
        }
    }

    private void shutOut(Task<?> task) {
        taskCounts.turnedAway();
        forgetWhenIdle((Group) task.group);
        if (listener != null) {
            tellRejected(task.groupTask());
        }
    }

    private Group group(String key) {
        Group known = groups.get(key);
        if (known != null) {
            return known;
        }
        Group mine = new Group(this, shared, key, policy); // asks the resolver, with nothing held
        shared.addGroup();
        Group first = groups.putIfAbsent(key, mine);
        if (first != null) {
            shared.removeGroup();
            return first;
        }
        return mine;
    }

    void forgetIfRetired(Group group) {
        try {
            if (group.isRetired() && groups.remove(group.key, group)) {
                shared.removeGroup();
                group.cancelTimer();
            }
        } catch (OutOfMemoryError noMemory) {
            // the next one to find the group takes it out; what else it leaves costs little
        }
    }

    /** Gives the task a thread. */
    void start(@Nullable Task<?> started) {
        Task<?> task = started;
        while (task != null) {
            try {
                TaskLoop loop = new TaskLoop(task);
                threads.newThread(loop).start();
                PendingThreads.ALL.add(loop);
                return;
            } catch (Throwable noThread) {
                task = task.failUnstarted(noThread);
            }
        }
    }

    // ---- refusing ----

    private void refuse(Task<?> task, boolean byGroup) {
        boolean byCaller = policy.rejectionHandler() == null && policy.rejectionPolicy() == RejectionPolicy.CALLER_RUNS;
        RejectedTaskException why;
        try {
            String key = task.groupKey();
            why = byGroup
                    ? RejectedTaskException.groupQueue(key, task.taskId(), policy.queueThreshold(key))
                    : RejectedTaskException.globalQueue(key, task.taskId(), policy.globalQueueThreshold());
            if (byCaller) {
                enclosing.take(List.of(task));
            }
        } catch (OutOfMemoryError noMemory) {
            taskCounts.turnedAway();
            throw noMemory;
        }
        if (byCaller) {
            runByCaller(task, why.code());
            return;
        }
        taskCounts.rejected(why.code());
        FlightEvents.refusal(kind(), name(), why.code());
        task.endRefused(tellAndAsk(task, why));
    }

    /** Refuses a task that has waited for too long and was taken. No user code runs on this thread. */
    void refuseLate(Task<?> task, RejectedTaskException why) {
        forgetIfRetired((Group) task.group);
        taskCounts.rejectedAndAwaited(why.code());
        FlightEvents.refusal(kind(), name(), why.code());
        if (!isWatched() || !tryEndLateOnOtherThread(task, why)) {
            endLate(task, why);
        }
    }

    /* The thread is made like those of tasks: it must not inherit anything from the thread that set the timer. */
    private boolean tryEndLateOnOtherThread(Task<?> task, RejectedTaskException why) {
        try {
            threads.newThread(() -> endLate(task, why)).start();
            return true;
        } catch (Throwable noThread) {
            return false;
        }
    }

    private void endLate(Task<?> task, RejectedTaskException why) {
        EndLatch.ResultFuture<?> future = task.endAwaited(tellAndAskLate(task, why));
        if (future != null) {
            endAside(future);
        }
    }

    private void endAside(EndLatch.ResultFuture<?> future) {
        try {
            threads.newThread(future::end).start();
        } catch (Throwable noThread) {
            future.end();
        }
    }

    private Object tellAndAskLate(Task<?> task, RejectedTaskException why) {
        try {
            if (!isWatched()) {
                return tellAndAsk(task, why);
            }
            enclosing.take(List.of(task));
            try {
                return tellAndAsk(task, why);
            } finally {
                enclosing.drop();
            }
        } catch (OutOfMemoryError noMemory) {
            return why;
        }
    }

    /** Returns the end of a refused task that is not run. */
    private Object tellAndAsk(Task<?> task, RejectedTaskException why) {
        if (listener != null) {
            tellRejected(task.groupTask());
        }
        RejectionHandler handler = policy.rejectionHandler();
        if (handler != null) {
            return ask(handler, task, why);
        }
        return policy.rejectionPolicy() == RejectionPolicy.DISCARD ? task.rejected(why) : why;
    }

    private void runByCaller(Task<?> task, String code) {
        bodiesOfCallers.incrementAndGet();
        taskCounts.rejectedAndAwaited(code);
        FlightEvents.refusal(kind(), name(), code);
        if (listener != null) {
            tellRejected(task.groupTask());
        }
        task.runHere();
    }

    /** The body that this thread ran for a refused task is over. */
    void bodyOfCallerIsOver() {
        enclosing.drop();
        bodiesOfCallers.decrementAndGet();
    }

    void addStageOfCaller(AsyncTask<?> task) {
        stagesOfCallers.add(task);
    }

    /* The set removes the task before it needs memory to count that. The task must end in any case. */
    void removeStageOfCaller(AsyncTask<?> task) {
        try {
            stagesOfCallers.remove(task);
        } catch (OutOfMemoryError uncounted) {
            // the task goes on
        }
    }

    /** Refuses a task that came after the shutdown, and counts that. Nothing else of such a task is counted. */
    RejectedTaskException refusedByShutdown(String groupKey, String taskId) {
        refusedByShutdown.increment();
        FlightEvents.refusal(kind(), name(), RejectedTaskException.SHUTDOWN);
        return RejectedTaskException.shutdown(groupKey, taskId);
    }

    private static <T> GroupResult<T> ask(RejectionHandler handler, Task<T> task, RejectedTaskException why) {
        try {
            GroupResult<T> answer = handler.onRejected(task.groupTask());
            return answer != null ? answer : task.rejected(why);
        } catch (Throwable thrown) {
            keepInterrupt(thrown);
            return task.rejected(thrown);
        }
    }

    // ---- all at once ----

    @Override
    public <T> List<GroupResult<T>> executeAll(Collection<GroupTask<T>> tasks) {
        List<GroupTask<T>> given = List.copyOf(tasks);
        requireOpen();
        List<Task<T>> entered = new ArrayList<>(given.size());
        for (GroupTask<T> task : given) {
            Task<T> mine = enter(task, PLAIN);
            if (mine == null) {
                break; // the executor was shut down meanwhile, and accepts none of the next tasks
            }
            entered.add(mine);
        }
        awaitAll(entered);
        List<GroupResult<T>> results = new ArrayList<>(given.size());
        for (Task<T> task : entered) {
            results.add(task.resultEvenIfRefused());
        }
        for (GroupTask<T> task : given.subList(entered.size(), given.size())) {
            RejectedTaskException why = refusedByShutdown(task.groupKey(), task.taskId());
            results.add(new GroupResult<>(task.groupKey(), task.taskId(), TaskStatus.REJECTED, null, why, 0, 0));
        }
        return results;
    }

    private void awaitAll(List<? extends Task<?>> tasks) {
        try {
            for (Task<?> task : tasks) {
                task.awaitEnd();
            }
        } catch (InterruptedException interrupted) {
            cancelAll(tasks);
            tasks.forEach(Task::resultEvenIfRefused);
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Takes the waiting tasks from the last to the first, interrupts the running ones, and then ends those it took. So
     * none starts in place of another, and a listener that does the same again finds none left to take.
     */
    private void cancelAll(List<? extends Task<?>> tasks) {
        cancelAll(tasks, taken -> {});
    }

    private void cancelAll(List<? extends Task<?>> tasks, Consumer<? super Task<?>> eachTaken) {
        List<Task<?>> taken = new ArrayList<>(tasks.size()); // no memory may be needed once a task is taken
        boolean inHand = false;
        try {
            for (int i = tasks.size() - 1; i >= 0; i--) {
                if (tasks.get(i).take()) {
                    taken.add(tasks.get(i));
                    eachTaken.accept(tasks.get(i));
                }
            }
            if (!taken.isEmpty()) {
                enclosing.take(taken);
                inHand = true;
            }
            tasks.forEach(task -> task.cancelWithRoom(true));
        } finally {
            for (int i = taken.size() - 1; i >= 0; i--) {
                if (inHand) {
                    enclosing.drop();
                }
                taken.get(i).endTaken();
            }
        }
    }

    // ---- groups ----

    @Override
    public ExecutorService executor(String groupKey) {
        return new GroupView(this, requireNonNull(groupKey, "groupKey"));
    }

    /** Cancels those tasks of a group that a view names as its own. */
    void cancelAll(String groupKey, Predicate<? super Task<?>> which, Consumer<? super Task<?>> eachTaken) {
        Group group = groups.get(groupKey);
        List<Task<?>> tasks = tasksOf(group != null ? List.of(group) : List.of());
        tasks.removeIf(which.negate());
        cancelAll(tasks, eachTaken);
    }

    @Override
    public void evictGroup(String groupKey) {
        StackRoom.require();
        Group group = groups.get(requireNonNull(groupKey, "groupKey"));
        if (group != null) {
            forgetWhenIdle(group);
        }
    }

    @Override
    public void evictIdle(Duration atLeast) {
        long nanos = nanos(atLeast);
        StackRoom.require();
        for (Group group : groups.values()) {
            group.evictIfIdle(nanos);
            forgetIfRetired(group);
        }
    }

    private void forgetWhenIdle(Group group) {
        group.evict();
        forgetIfRetired(group);
    }

    @Override
    public void shutdownGroup(String groupKey) {
        StackRoom.require();
        Group group = groups.get(requireNonNull(groupKey, "groupKey"));
        List<Task<?>> tasks = tasksOf(group != null ? List.of(group) : List.of());
        for (AsyncTask<?> pending : stagesOfCallers) {
            if (pending.groupKey().equals(groupKey)) {
                tasks.add(pending);
            }
        }
        cancelAll(tasks);
    }

    /** The tasks in flight first, and then the waiting ones. */
    private static List<Task<?>> tasksOf(Collection<Group> groups) {
        List<Task<?>> waiting = new ArrayList<>();
        List<Task<?>> tasks = new ArrayList<>();
        for (Group group : groups) {
            group.show(node -> waiting.add((Task<?>) node), node -> tasks.add((Task<?>) node));
        }
        tasks.addAll(waiting);
        return tasks;
    }

    // ---- limits ----

    @Override
    public void setGlobalMaxInFlight(int limit) {
        GroupPolicy.Builder.check("globalMaxInFlight", limit, 1);
        StackRoom.require();
        shared.startCounting();
        groups.values().forEach(Group::count);
        shared.setLimit(limit);
        for (QueueNode started = shared.startSeated(); started != null; started = shared.startSeated()) {
            start((Task<?>) started);
        }
    }

    @Override
    public void setMaxConcurrency(String groupKey, int limit) {
        requireNonNull(groupKey, "groupKey");
        GroupPolicy.Builder.check("maxConcurrency[" + groupKey + "]", limit, 1);
        StackRoom.require();
        List<QueueNode> started = null;
        while (started == null) {
            Group group = shared.isClosed() ? groups.get(groupKey) : group(groupKey);
            if (group == null) {
                return; // shut down: no task will come for which the limit could matter
            }
            started = group.setMaxConcurrency(limit);
            forgetIfRetired(group);
        }
        started.forEach(node -> start((Task<?>) node));
    }

    // ---- ending ----

    @Override
    public void shutdown() {
        StackRoom.require();
        shared.close();
        groups.values().forEach(this::forgetWhenIdle);
    }

    boolean isShutdown() {
        return shared.isClosed();
    }

    @Override
    public boolean shutdown(Duration timeout) {
        long nanos = nanos(timeout);
        shutdown();
        LongPredicate excuses = beginClose();
        try {
            if (taskCounts.awaitEnd(excuses, nanos)) {
                return !hasRunningBodies();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            enclosing.closeNoMore();
        }
        stop();
        return !hasRunningBodies();
    }

    private static long nanos(Duration duration) {
        return duration.isNegative() ? 0 : (duration.compareTo(LONGEST) > 0 ? LONGEST : duration).toNanos();
    }

    @Override
    public void close() {
        shutdown();
        stop();
        LongPredicate excuses = beginClose();
        try {
            taskCounts.awaitEndUninterruptibly(excuses);
        } finally {
            enclosing.closeNoMore();
        }
    }

    private void stop() {
        stopped = true;
        List<Task<?>> tasks = tasksOf(groups.values());
        tasks.addAll(stagesOfCallers);
        cancelAll(tasks);
    }

    /** Returns whether nothing waits for stages any more. */
    boolean isStopped() {
        return stopped;
    }

    /**
     * Returns the rule by which tasks are excused from being awaited: none is, unless this call is made from inside a
     * task.
     */
    private LongPredicate beginClose() {
        boolean isInside = enclosing.close(bodies().containsKey(Thread.currentThread()));
        return unended -> isInside && enclosing.excuses(unended, this::bodies);
    }

    private Map<Thread, Task<?>> bodies() {
        Map<Thread, Task<?>> bodies = new HashMap<>();
        for (Group group : groups.values()) {
            group.show(waiting -> {}, inFlight -> {
                Task<?> task = (Task<?>) inFlight;
                Thread thread = task.runsOn();
                if (thread != null) {
                    bodies.put(thread, task);
                }
            });
        }
        return bodies;
    }

    /** This thread is about to wait for the task. */
    void beginAwait(Task<?> task) {
        enclosing.await(task);
        taskCounts.wake();
    }

    void endAwait() {
        enclosing.awaitNoMore();
    }

    private boolean hasRunningBodies() {
        return bodiesOfCallers.get() > 0
                || groups.values().stream().anyMatch(group -> group.stats().running() > 0);
    }

    // ---- looking ----

    @Override
    public String name() {
        return policy.name();
    }

    @Override
    public GroupExecutorStats stats() {
        StackRoom.require();
        int known = 0;
        int running = 0;
        int waiting = 0;
        int inFlight = 0;
        for (Group group : groups.values()) {
            GroupStats stats = group.stats();
            known++;
            running += stats.running();
            waiting += stats.waiting();
            inFlight += stats.inFlight();
        }
        // Between two looks a permit may have moved on to another group, so the shared count takes precedence.
        int out = shared.out(inFlight);
        return taskCounts.stats(known, Math.min(running, out), shared.waiting(waiting), out);
    }

    @Override
    public Optional<GroupStats> groupStats(String groupKey) {
        StackRoom.require();
        return Optional.ofNullable(groups.get(requireNonNull(groupKey, "groupKey")))
                .map(Group::stats);
    }

    @Override
    public List<GroupStats> groups() {
        StackRoom.require();
        return groups.values().stream().map(Group::stats).toList();
    }

    // ---- measuring ----

    /** Counts how the task ends, once that is decided and before the end is counted. */
    void measure(Object end) {
        if (end instanceof GroupResult<?> result) {
            if (result.status() != TaskStatus.SUCCESS) {
                ends.countError(result.status() == TaskStatus.CANCELLED);
            }
            if (result.startTimeNanos() != 0 || result.endTimeNanos() != 0) {
                runs.took(result.durationNanos());
            }
        } else {
            ends.countError(Task.statusOf((Throwable) end) == TaskStatus.CANCELLED);
        }
    }

    @Override
    public void read(Reading to) {
        GroupExecutor.super.read(to);
        shared.read(to);
        taskCounts.readRejected(to);
        to.count("refused", refusedByShutdown.sum(), "code", RejectedTaskException.SHUTDOWN);
        ends.read(to, taskCounts.allCompleted());
        runs.read(to, "run");
    }

    // ---- telling ----

    boolean hasListener() {
        return listener != null;
    }

    /*
     * What a listener throws is dropped, and so is a notification for which there is no memory: the task goes on as if
     * the listener had returned.
     */

    @SuppressWarnings("EmptyCatch") // whatever is notified could throw, too
    private void tellSubmitted(GroupTask<?> task) {
        try {
            listener().onSubmitted(task);
        } catch (Throwable dropped) {
            // the task goes on
        }
    }

    @SuppressWarnings("EmptyCatch") // the same
    private void tellRejected(GroupTask<?> task) {
        try {
            listener().onRejected(task);
        } catch (Throwable dropped) {
            // the task goes on
        }
    }

    @SuppressWarnings("EmptyCatch") // the same
    void tellStarted(Task<?> task) {
        try {
            GroupTask<?> shown = task.groupTask();
            tellInside(task, () -> listener().onStarted(shown));
        } catch (Throwable dropped) {
            // the task goes on
        }
    }

    @SuppressWarnings("EmptyCatch") // the same
    void tellCompleted(Task<?> task, GroupResult<?> result) {
        try {
            GroupTask<?> shown = task.groupTask();
            tellInside(task, () -> listener().onCompleted(shown, result));
        } catch (Throwable dropped) {
            // the task goes on
        }
    }

    private void tellInside(Task<?> task, Runnable news) {
        enclosing.take(List.of(task));
        try {
            news.run();
        } finally {
            enclosing.drop();
        }
    }

    private TaskLifecycleListener listener() {
        return requireNonNull(listener);
    }

    /** Sets the flag again if what user code threw has cleared it. */
    static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "GroupExecutor(" + stats() + ")";
    }
}
