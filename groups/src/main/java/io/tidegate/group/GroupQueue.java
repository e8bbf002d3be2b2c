package io.tidegate.group;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The permits and the queue of one group. Runs nothing: it answers who may start. */
class GroupQueue {
    /*
     * Everything here is guarded by the group's lock, taken before that of SharedPermits. No user code runs under it.
     *
     * A started waiter holds three permits: a permit in all (SharedPermits), one of the group (in flight), one to run.
     * They are taken in this order and given back in reverse. A waiting one holds none.
     *
     * A waiter that is first in line waits for one of three things, and each has somebody who will look after it:
     *
     *   a permit of this group    whoever gives one back looks, in the same section of the lock
     *   a permit in all           the group is seated in SharedPermits: there is a first one, and room for it here
     *   nothing                  never: it is started by whoever made that true
     *
     * Each operation gives back at most one permit of each kind, so it starts at most one waiter, which it returns; if
     * that is of another group, it got the permit that was given back here. The caller must have it run, and give its
     * permits back. Only a limit that is raised makes room for several.
     *
     * Permits are counted from the first limit of all on. A group counts what it has in flight in the first section in
     * which it sees that.
     */
    enum Admission {
        /** It has its permits: the caller must have it run. */
        STARTED,
        WAITING,
        /** As many wait in the group as may. */
        REFUSED,
        /** As many wait in all groups as may. */
        REFUSED_BY_ALL,
        /** The group was forgotten: ask for a new one. */
        RETIRED,
        /** No more tasks are taken. */
        CLOSED
    }

    final SpinThenParkLock lock = new SpinThenParkLock();
    private final WaiterList waiting = new WaiterList();
    private final WaiterList inFlight = new WaiterList();
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

    /** What the order goes by: when the group was served last. Guarded by the lock of SharedPermits. */
    long seatedServed;

    GroupQueue(SharedPermits shared, String key, int maxConcurrency, int maxInFlight, int queueThreshold) {
        this.shared = shared;
        this.key = key;
        this.maxConcurrency = maxConcurrency;
        this.maxInFlight = maxInFlight;
        this.queueThreshold = queueThreshold;
        this.served = shared.now(); // else new groups could keep the others from their turns
        this.usedAt = served;
    }

    Admission admit(QueueNode waiter) {
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
                start(waiter);
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
            waiter.since = shared.now();
            waiting.add(waiter);
            return startFirstOrSeat(waiter.since) == null ? Admission.WAITING : Admission.STARTED;
        } finally {
            lock.unlock();
        }
    }

    /** The waiter has ended: all its permits are back. Returns who was started with them, or null. */
    @Nullable
    QueueNode end(QueueNode waiter, long now) {
        lock.lock();
        try {
            running--;
            QueueNode next = leave(waiter, now);
            if (next != null || !counted) {
                return next;
            }
        } finally {
            lock.unlock();
        }
        return shared.passOn(now);
    }

    /** One that runs has stopped to run, and stays in flight. Returns who was started, or null. */
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

    /** The waiter, which does not run any more, is not in flight either. Returns who was started, or null. */
    @Nullable
    QueueNode endFlight(QueueNode waiter, long now) {
        lock.lock();
        try {
            QueueNode next = leave(waiter, now);
            if (next != null || !counted) {
                return next;
            }
        } finally {
            lock.unlock();
        }
        return shared.passOn(now);
    }

    /* The waiter's permit is in hand after this, if permits are counted and nobody was started with it. */
    private @Nullable QueueNode leave(QueueNode waiter, long now) {
        countIfAsked();
        inFlight.remove(waiter);
        QueueNode next = startFirstOrSeatWithPermit(now);
        useEnds(now);
        return next;
    }

    /** Takes the waiter out of the queue; false if it is not there, because it was started. */
    boolean withdraw(QueueNode waiter) {
        lock.lock();
        try {
            if (waiter.since == QueueNode.NOT_WAITING) {
                return false;
            }
            long now = shared.now();
            waiting.remove(waiter);
            stopWaiting(waiter, now);
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
     * Starts the first one with the permit that the caller holds, if this group is the first to get it. Returns null if
     * it is not any more.
     */
    @Nullable
    QueueNode startIfFirst(long now) {
        lock.lock();
        try {
            if (!seated || !shared.isFirst(this)) {
                return null;
            }
            QueueNode waiter = startFirst(now);
            settleSeat();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /** From now on so many may run. Returns who was started by that, or null if the group was forgotten. */
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

    /** Counts what is in flight, if permits are counted and this group has not seen it yet. */
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

    /** Retires the group if it has been idle for so long. */
    void evictIfIdle(long nanos) {
        lock.lock();
        try {
            retired |= isIdle() && shared.now() - usedAt >= nanos;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the group takes no more tasks; then it is idle for good. */
    boolean isRetired() {
        return retired;
    }

    /** Shows what waits and what is in flight, both at one instant, under the lock. */
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
     * Shows who has waited for this long, under the lock.
     *
     * @return how long the next one in line is still short of it; 0 if there is none
     */
    long showOverdue(long nanos, Consumer<? super QueueNode> each) {
        lock.lock();
        try {
            long now = shared.now();
            QueueNode waiter = waiting.first();
            while (waiter != null && now - waiter.since >= nanos) {
                each.accept(waiter);
                waiter = waiter.next;
            }
            return waiter == null ? 0 : nanos - (now - waiter.since);
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

    /* With no permit in hand: the first one takes a free permit, or the group is seated. */
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

    /* With a permit in hand: it goes to the first one, unless somebody is seated; then passOn decides. */
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
        QueueNode waiter = waiting.removeFirst();
        stopWaiting(waiter, now);
        start(waiter);
        served = now;
        return waiter;
    }

    private void stopWaiting(QueueNode waiter, long now) {
        if (now != waiter.since) { // or it was started as it came
            shared.waits.took(now - waiter.since);
        }
        waiter.since = QueueNode.NOT_WAITING;
        shared.stopWaiting();
    }

    private void start(QueueNode waiter) {
        inFlight.add(waiter);
        running++;
    }

    /* It may have been served, or have nobody left who could start. */
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
