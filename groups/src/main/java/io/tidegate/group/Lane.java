package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The permits and the queue of one group. Runs nothing: it answers who may start. */
class Lane {
    /*
     * Everything here is guarded by the lane's lock, taken before that of SharedPlaces. No user code runs under it.
     *
     * A started waiter holds three permits: a place in all (SharedPlaces), one of the group (in flight), one to run.
     * They are taken in this order and given back in reverse. A waiting one holds none.
     *
     * A waiter that is first in line waits for one of three things, and each has somebody who will look after it:
     *
     *   a permit of this lane    whoever gives one back looks, in the same section of the lock
     *   a place in all           the lane is seated in SharedPlaces: there is a first one, and room for it here
     *   nothing                  never: it is started by whoever made that true
     *
     * Each operation gives back at most one permit of each kind, so it starts at most one waiter, which it returns; if
     * that is of another lane, it got the place that was given back here. The caller must have it run, and give its
     * permits back.
     */
    enum Admission {
        /** It has its permits: the caller must have it run. */
        STARTED,
        WAITING,
        /** As many wait in the lane as may. */
        REFUSED,
        /** As many wait in all lanes as may. */
        REFUSED_BY_ALL,
        /** The lane was forgotten: ask for a new one. */
        RETIRED,
        /** No more tasks are taken. */
        CLOSED
    }

    private final ShortLock lock = new ShortLock();
    private final WaiterList waiting = new WaiterList();
    private final WaiterList inFlight = new WaiterList();
    private final SharedPlaces shared;
    private final int maxConcurrency;
    private final int maxInFlight;
    private final int queueThreshold;
    final String key;
    private int running;
    private boolean seated;
    private boolean evicting;
    private volatile boolean retired;

    /** The place in the order of SharedPlaces, guarded by its lock. */
    int seat;

    /** What the order goes by, guarded by the lock of SharedPlaces. */
    long seatedSince;

    Lane(SharedPlaces shared, String key, int maxConcurrency, int maxInFlight, int queueThreshold) {
        this.shared = shared;
        this.key = key;
        this.maxConcurrency = maxConcurrency;
        this.maxInFlight = maxInFlight;
        this.queueThreshold = queueThreshold;
    }

    Admission admit(Waiter waiter) {
        lock.lock();
        try {
            if (shared.isClosed()) {
                return Admission.CLOSED;
            }
            if (retired) {
                return Admission.RETIRED;
            }
            if (waiting.size() == 0 && hasRoom() && shared.tryTake()) {
                start(waiter);
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
            return startFirstOrSeat() == null ? Admission.WAITING : Admission.STARTED;
        } finally {
            lock.unlock();
        }
    }

    /** The waiter has ended: all its permits are back. Returns who was started with them, or null. */
    @Nullable
    Waiter end(Waiter waiter) {
        lock.lock();
        try {
            running--;
            inFlight.remove(waiter);
            Waiter next = startFirstOrSeatWithPlace();
            retireIfIdle();
            if (next != null) {
                return next;
            }
        } finally {
            lock.unlock();
        }
        return shared.passOn();
    }

    /** One that runs has stopped to run, and stays in flight. Returns who was started, or null. */
    @Nullable
    Waiter endBody() {
        lock.lock();
        try {
            running--;
            return startFirstOrSeat();
        } finally {
            lock.unlock();
        }
    }

    /** The waiter, which does not run any more, is not in flight either. Returns who was started, or null. */
    @Nullable
    Waiter endFlight(Waiter waiter) {
        lock.lock();
        try {
            inFlight.remove(waiter);
            Waiter next = startFirstOrSeatWithPlace();
            retireIfIdle();
            if (next != null) {
                return next;
            }
        } finally {
            lock.unlock();
        }
        return shared.passOn();
    }

    /** Takes the waiter out of the queue; false if it is not there, because it was started. */
    boolean withdraw(Waiter waiter) {
        lock.lock();
        try {
            if (waiter.since == Waiter.NOT_WAITING) {
                return false;
            }
            boolean wasFirst = waiter.previous == null;
            waiting.remove(waiter);
            stopWaiting(waiter);
            if (wasFirst) {
                settleSeat();
            }
            retireIfIdle();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts the first one with the place that the caller holds, if this lane is the first to get it. Returns null if
     * it is not any more.
     */
    @Nullable
    Waiter startIfFirst() {
        lock.lock();
        try {
            if (!seated || !shared.isFirst(this)) {
                return null;
            }
            Waiter waiter = startFirst();
            settleSeat();
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /** Retires the lane when it is idle, which may be now. */
    void evict() {
        lock.lock();
        try {
            evicting = true;
            retireIfIdle();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the lane takes no more tasks; then it is idle for good. */
    boolean isRetired() {
        return retired;
    }

    /** Shows what waits and what is in flight, both at one instant, under the lock. */
    void show(Consumer<? super Waiter> eachWaiting, Consumer<? super Waiter> eachInFlight) {
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
    long showOverdue(long nanos, Consumer<? super Waiter> each) {
        lock.lock();
        try {
            long now = shared.now();
            Waiter waiter = waiting.first();
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
            Waiter first = waiting.first();
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

    /* With no place in hand: the first one takes a free place, or the lane is seated. */
    private @Nullable Waiter startFirstOrSeat() {
        if (seated || !firstHasRoom()) {
            return null;
        }
        if (shared.takeOrSeat(this, since())) {
            return startFirst();
        }
        seated = true;
        return null;
    }

    /* With a place in hand: it goes to the first one, unless somebody is seated; then passOn decides. */
    private @Nullable Waiter startFirstOrSeatWithPlace() {
        if (seated || !firstHasRoom()) {
            return null;
        }
        if (shared.keepOrSeat(this, since())) {
            return startFirst();
        }
        seated = true;
        return null;
    }

    private long since() {
        return requireNonNull(waiting.first()).since;
    }

    private Waiter startFirst() {
        Waiter waiter = waiting.removeFirst();
        stopWaiting(waiter);
        start(waiter);
        return waiter;
    }

    private void stopWaiting(Waiter waiter) {
        waiter.since = Waiter.NOT_WAITING;
        shared.stopWaiting();
    }

    private void start(Waiter waiter) {
        inFlight.add(waiter);
        running++;
    }

    /* The first one has changed. */
    private void settleSeat() {
        if (!seated) {
            return;
        }
        if (firstHasRoom()) {
            shared.reseat(this, since());
        } else {
            seated = false;
            shared.unseat(this);
        }
    }

    private void retireIfIdle() {
        if (evicting && inFlight.size() == 0 && waiting.size() == 0) {
            retired = true;
        }
    }
}
