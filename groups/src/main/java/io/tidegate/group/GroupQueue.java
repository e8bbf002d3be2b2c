package io.tidegate.group;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The permits and the queue of one group. Runs nothing: it decides which task may start. */
class GroupQueue {
    /*
     * The group's lock guards everything here. It is taken before that of SharedPermits, and no user code runs under
     * it.
     *
     * A started task holds three permits: one of all groups (SharedPermits), one of the group (in flight), and one to
     * run. They are taken in this order and given back in reverse. A waiting task holds none.
     *
     * The first task in line waits for one of three things, and a thread looks after each of them:
     *
     *   a permit of this group    the thread that gives one back checks, in the same section of the lock
     *   a permit of all groups    the group is seated in SharedPermits: it has a first task, and room for it
     *   nothing                   never: the thread that fulfils the last condition starts the task
     *
     * Each operation gives back at most one permit of each kind, so it starts at most one task, which it returns. If
     * that task is of another group, it got the permit that was given back here. The caller must run the task, and give
     * its permits back when it ends. Only a raised limit makes room for several tasks.
     *
     * Common permits are counted once there is a common limit. A group counts its tasks in flight in the first section
     * of its lock in which it sees that.
     */
    enum Admission {
        /** The task has its permits: the caller must run it. */
        STARTED,
        WAITING,
        /** The group's queue is full. */
        REFUSED,
        /** The common threshold of waiting tasks is reached. */
        REFUSED_BY_ALL,
        /** The group was forgotten: ask for a new one. */
        RETIRED,
        /** The group takes no more tasks. */
        CLOSED
    }

    final SpinThenParkLock lock = new SpinThenParkLock();
    private final NodeList waiting = new NodeList();
    private final NodeList inFlight = new NodeList();
    private final SharedPermits shared;
    private final int maxInFlight;
    private final int queueThreshold;
    final String key;
    private int maxConcurrency;
    private int running;
    private boolean counted;
    private boolean seated;
    private long served;
    private long usedAt;
    private boolean evicting;
    private volatile boolean retired;

    /** The position in the order of SharedPermits, guarded by its lock. */
    int seat;

    /** When the group was served last, which decides its position. Guarded by the lock of SharedPermits. */
    long seatedServed;

    GroupQueue(SharedPermits shared, String key, int maxConcurrency, int maxInFlight, int queueThreshold) {
        this.shared = shared;
        this.key = key;
        this.maxConcurrency = maxConcurrency;
        this.maxInFlight = maxInFlight;
        this.queueThreshold = queueThreshold;
        this.served = shared.now(); // otherwise new groups could keep the others from their turns
        this.usedAt = served;
    }

    Admission admit(QueueNode task) {
        lock.lock();
        try {
            if (shared.isClosed()) {
                return Admission.CLOSED;
            }
            if (retired) {
                return Admission.RETIRED;
            }
            countIfAsked();
            if (waiting.size() == 0 && hasRoom() && (!counted || shared.tryTake())) {
                start(task);
                if (counted) {
                    served = shared.now();
                }
                return Admission.STARTED;
            }
            if (waiting.size() >= queueThreshold) {
                return Admission.REFUSED;
            }
            if (!shared.tryWait()) {
                return Admission.REFUSED_BY_ALL;
            }
            task.since = shared.now();
            waiting.add(task);
            return startFirstOrSeat(task.since) == null ? Admission.WAITING : Admission.STARTED;
        } finally {
            lock.unlock();
        }
    }

    /** The task has ended: all its permits are back. Returns the task that was started with them, or null. */
    @Nullable
    QueueNode end(QueueNode task, long now) {
        lock.lock();
        try {
            running--;
            QueueNode next = leave(task, now);
            if (next != null || !counted) {
                return next;
            }
        } finally {
            lock.unlock();
        }
        return shared.passOn(now);
    }

    /** A running body has ended, and its task stays in flight. Returns the task that was started, or null. */
    @Nullable
    QueueNode endBody(long now) {
        lock.lock();
        try {
            countIfAsked();
            running--;
            return startFirstOrSeat(now);
        } finally {
            lock.unlock();
        }
    }

    /** The task, whose body has ended before, is no longer in flight. Returns the task that was started, or null. */
    @Nullable
    QueueNode endFlight(QueueNode task, long now) {
        lock.lock();
        try {
            QueueNode next = leave(task, now);
            if (next != null || !counted) {
                return next;
            }
        } finally {
            lock.unlock();
        }
        return shared.passOn(now);
    }

    /* If permits are counted and null is returned, the caller holds the task's common permit afterwards. */
    private @Nullable QueueNode leave(QueueNode task, long now) {
        countIfAsked();
        inFlight.remove(task);
        QueueNode next = startFirstOrSeatWithPermit(now);
        useEnds(now);
        return next;
    }

    /** Takes the task out of the queue. Returns false if it is not there, because it was started. */
    boolean withdraw(QueueNode task) {
        lock.lock();
        try {
            if (task.since == QueueNode.NOT_WAITING) {
                return false;
            }
            long now = shared.now();
            waiting.remove(task);
            stopWaiting(task, now);
            settleSeat();
            if (isIdle()) {
                useEnds(now);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts the first task with the permit that the caller holds, if this group is first to get it. Returns null if it
     * is not first any more.
     */
    @Nullable
    QueueNode startIfFirst(long now) {
        lock.lock();
        try {
            if (!seated || !shared.isFirst(this)) {
                return null;
            }
            QueueNode task = startFirst(now);
            settleSeat();
            return task;
        } finally {
            lock.unlock();
        }
    }

    /** Sets how many tasks may run at once. Returns the tasks that this started, or null if the group was forgotten. */
    @Nullable
    List<QueueNode> setMaxConcurrency(int limit) {
        lock.lock();
        try {
            if (retired) {
                return null;
            }
            countIfAsked();
            maxConcurrency = limit;
            settleSeat();
            List<QueueNode> started = new ArrayList<>();
            long now = shared.now();
            for (QueueNode next = startFirstOrSeat(now); next != null; next = startFirstOrSeat(now)) {
                started.add(next);
            }
            return started;
        } finally {
            lock.unlock();
        }
    }

    /** Counts the tasks in flight, if permits are counted and this group has not seen that yet. */
    void count() {
        lock.lock();
        try {
            countIfAsked();
        } finally {
            lock.unlock();
        }
    }

    private void countIfAsked() {
        if (!counted && shared.counts()) {
            counted = true;
            shared.addOut(inFlight.size());
        }
    }

    /** Retires the group when it is idle, which may be now. */
    void evict() {
        lock.lock();
        try {
            evicting = true;
            retired |= isIdle();
        } finally {
            lock.unlock();
        }
    }

    /** Retires the group if it has been idle for that long. */
    void evictIfIdle(long nanos) {
        lock.lock();
        try {
            retired |= isIdle() && shared.now() - usedAt >= nanos;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the group takes no more tasks; then it stays idle. */
    boolean isRetired() {
        return retired;
    }

    /** Passes on the waiting tasks and those in flight, all at one instant, under the lock. */
    void show(Consumer<? super QueueNode> eachWaiting, Consumer<? super QueueNode> eachInFlight) {
        lock.lock();
        try {
            waiting.forEach(eachWaiting);
            inFlight.forEach(eachInFlight);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Passes on the tasks that have waited for this long, under the lock.
     *
     * @return how long the next task in line has to wait until then; 0 if there is none
     */
    long showOverdue(long nanos, Consumer<? super QueueNode> each) {
        lock.lock();
        try {
            long now = shared.now();
            QueueNode task = waiting.first();
            while (task != null && now - task.since >= nanos) {
                each.accept(task);
                task = task.next;
            }
            return task == null ? 0 : nanos - (now - task.since);
        } finally {
            lock.unlock();
        }
    }

    GroupStats stats() {
        lock.lock();
        try {
            QueueNode first = waiting.first();
            long oldest = first == null ? 0 : Math.max(0, shared.now() - first.since);
            return new GroupStats(
                    key, running, waiting.size(), inFlight.size(), maxConcurrency, maxInFlight, queueThreshold, oldest);
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom() {
        return inFlight.size() < maxInFlight && running < maxConcurrency;
    }

    private boolean firstHasRoom() {
        return waiting.size() > 0 && hasRoom();
    }

    /* Called without a permit in hand: the first task takes a free permit, or the group is seated. */
    private @Nullable QueueNode startFirstOrSeat(long now) {
        if (seated || !firstHasRoom()) {
            return null;
        }
        if (!counted || shared.takeOrSeat(this, served)) {
            return startFirst(now);
        }
        seated = true;
        return null;
    }

    /* Called with a permit in hand: the first task gets it, unless a group is seated; then passOn decides. */
    private @Nullable QueueNode startFirstOrSeatWithPermit(long now) {
        if (seated || !firstHasRoom()) {
            return null;
        }
        if (!counted || shared.keepOrSeat(this, served)) {
            return startFirst(now);
        }
        seated = true;
        return null;
    }

    private QueueNode startFirst(long now) {
        QueueNode task = waiting.removeFirst();
        stopWaiting(task, now);
        start(task);
        served = now;
        return task;
    }

    private void stopWaiting(QueueNode task, long now) {
        if (now != task.since) { // otherwise it started on arrival
            shared.waits.took(now - task.since);
        }
        task.since = QueueNode.NOT_WAITING;
        shared.stopWaiting();
    }

    private void start(QueueNode task) {
        inFlight.add(task);
        running++;
    }

    /* Called when the group may have been served, or may have no task left that could start. */
    private void settleSeat() {
        if (!seated) {
            return;
        }
        if (firstHasRoom()) {
            shared.reseat(this, served);
        } else {
            seated = false;
            shared.unseat(this);
        }
    }

    private boolean isIdle() {
        return inFlight.size() == 0 && waiting.size() == 0;
    }

    private void useEnds(long now) {
        usedAt = now;
        retired |= evicting && isIdle();
    }
}
