package io.tidegate.group;

import io.tidegate.Reading;
import io.tidegate.measure.Times;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The state that all groups share: the permits under the common limit, which group gets the next one, and how many
 * tasks wait.
 */
final class SharedPermits {
    /*
     * One word says how many permits are out and how many groups are seated:
     *
     *   | seated, 32 bits | out, 32 bits |
     *
     * A group is seated while its first task lacks nothing but a permit. The seats are a heap: the group that was
     * served longest ago is first. They and the upper half of the word change under the lock, which is taken after that
     * of the group and never before it.
     *
     *   seated > 0  implies  out >= limit                                                         (full)
     *
     * A permit is taken only if no group is seated. A group sits down only in the compare-and-set that finds no permit
     * free or a group seated. A permit is given back only in a compare-and-set that finds no group seated, or more
     * permits out than the limit. Otherwise the permit stays out and is passed on: the thread that holds it finds the
     * first group, locks that group, looks again, and starts its first task with the permit. Between the two looks the
     * group stays seated, so (full) holds and no permit can become free beside it: no group stays seated beside a free
     * permit.
     *
     * The limit changes under the lock, so no group sits down because of an old limit. The thread that has raised the
     * limit takes permits for seated groups until (full) holds again. So does a thread that gave a permit back because
     * of a limit that has been raised meanwhile.
     *
     * Without a common limit none of this is used, and groups do not ask for permits.
     */
    private static final long ONE_SEATED = 1L << 32;

    private final int threshold;
    private final LongSupplier clock;
    private final AtomicLong word = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private final SpinThenParkLock lock = new SpinThenParkLock();

    /** How long tasks waited, without those that still wait. */
    final Times waits = new Times();

    private @Nullable GroupQueue[] seats = new GroupQueue[16];
    private int groups;
    private volatile int limit;
    private volatile boolean counting;
    private volatile boolean closed;

    SharedPermits(int limit, int threshold, LongSupplier clock) {
        this.limit = limit;
        this.counting = limit < GroupPolicy.UNLIMITED;
        this.threshold = threshold;
        this.clock = clock;
    }

    /** Returns the time, which is never {@link QueueNode#NOT_WAITING}. */
    long now() {
        return Math.max(clock.getAsLong(), QueueNode.NOT_WAITING + 1);
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Ensures that each group can sit, so that sitting down needs no memory. */
    void addGroup() {
        lock.lock();
        try {
            makeSeats(groups + 1);
            groups++;
        } finally {
            lock.unlock();
        }
    }

    void removeGroup() {
        lock.lock();
        try {
            groups--;
        } finally {
            lock.unlock();
        }
    }

    private void makeSeats(int needed) {
        if (counting && needed > seats.length) {
            seats = Arrays.copyOf(seats, Math.max(needed, 2 * seats.length));
        }
    }

    // ---- the limit ----

    /** Returns whether groups must ask for permits. */
    boolean counts() {
        return counting;
    }

    /** Makes groups ask for permits from now on. */
    void startCounting() {
        lock.lock();
        try {
            counting = true;
            makeSeats(groups);
        } finally {
            lock.unlock();
        }
    }

    /** Counts permits that were out before counting began. */
    void addOut(int permits) {
        word.addAndGet(permits);
    }

    /** Changes the limit. Groups must be asking for permits. {@link #startSeated} must follow. */
    void setLimit(int newLimit) {
        lock.lock();
        try {
            limit = newLimit;
        } finally {
            lock.unlock();
        }
    }

    /** Returns a task that was started, if a permit is free for a seated group, or null. */
    @Nullable
    QueueNode startSeated() {
        return takeForSeated() ? passOn(now()) : null;
    }

    private boolean takeForSeated() {
        for (; ; ) {
            long seen = word.get();
            if (seated(seen) == 0 || (int) seen >= limit) {
                return false;
            }
            if (word.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
    }

    // ---- waiting ----

    /** Counts one more waiting task, unless the threshold is reached. */
    boolean tryWait() {
        if (threshold == GroupPolicy.UNLIMITED) {
            return true;
        }
        for (; ; ) {
            int seen = waiting.get();
            if (seen >= threshold) {
                return false;
            }
            if (waiting.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
    }

    void stopWaiting() {
        if (threshold < GroupPolicy.UNLIMITED) {
            waiting.decrementAndGet();
        }
    }

    // ---- permits ----

    boolean tryTake() {
        for (; ; ) {
            long seen = word.get();
            if (!hasFree(seen)) {
                return false;
            }
            if (word.compareAndSet(seen, seen + 1)) {
                return true;
            }
        }
    }

    /** Takes a permit, or seats the group. The group must not be seated. */
    boolean takeOrSeat(GroupQueue group, long served) {
        if (tryTake()) {
            return true;
        }
        lock.lock();
        try {
            for (; ; ) {
                long seen = word.get();
                if (hasFree(seen)) {
                    if (word.compareAndSet(seen, seen + 1)) {
                        return true;
                    }
                } else if (word.compareAndSet(seen, seen + ONE_SEATED)) {
                    insert(group, served, seated(seen));
                    return false;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Called with a permit in hand. Returns whether the group may keep the permit, and otherwise seats the group. The
     * group must not be seated.
     */
    boolean keepOrSeat(GroupQueue group, long served) {
        if (mayKeep(word.get())) {
            return true;
        }
        lock.lock();
        try {
            for (; ; ) {
                long seen = word.get();
                if (mayKeep(seen)) {
                    return true;
                }
                if (word.compareAndSet(seen, seen + ONE_SEATED)) {
                    insert(group, served, seated(seen));
                    return false;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean mayKeep(long seen) {
        return seated(seen) == 0 && (int) seen <= limit;
    }

    /**
     * Gives the permit in hand to the first group, or gives it back. Called with no group locked. Returns the task that
     * was started, or null.
     */
    @Nullable
    QueueNode passOn(long now) {
        for (; ; ) {
            long seen = word.get();
            if (seated(seen) == 0) {
                if (word.compareAndSet(seen, seen - 1)) {
                    return null;
                }
            } else if ((int) seen > limit) {
                if (word.compareAndSet(seen, seen - 1) && !takeForSeated()) {
                    return null;
                }
            } else {
                GroupQueue first = first();
                QueueNode started = first == null ? null : first.startIfFirst(now);
                if (started != null) {
                    return started;
                }
            }
        }
    }

    private @Nullable GroupQueue first() {
        lock.lock();
        try {
            return seats[0];
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the group is the first; it must be seated. */
    boolean isFirst(GroupQueue group) {
        lock.lock();
        try {
            return group.seat == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Moves a seated group to its place after it may have been served. */
    void reseat(GroupQueue group, long served) {
        lock.lock();
        try {
            int seated = seated(word.get());
            group.seatedServed = served;
            sink(group, group.seat, seated);
            rise(group, group.seat);
        } finally {
            lock.unlock();
        }
    }

    void unseat(GroupQueue group) {
        lock.lock();
        try {
            int left = seated(word.getAndAdd(-ONE_SEATED)) - 1;
            GroupQueue moved = at(left);
            seats[left] = null;
            if (group.seat < left) {
                sink(moved, group.seat, left);
                rise(moved, moved.seat);
            }
        } finally {
            lock.unlock();
        }
    }

    private void insert(GroupQueue group, long served, int seated) {
        group.seatedServed = served;
        rise(group, seated);
    }

    private void rise(GroupQueue group, int from) {
        int seat = from;
        while (seat > 0 && isBefore(group, at((seat - 1) / 2))) {
            sit(at((seat - 1) / 2), seat);
            seat = (seat - 1) / 2;
        }
        sit(group, seat);
    }

    private void sink(GroupQueue group, int from, int seated) {
        int seat = from;
        for (int child = 2 * seat + 1; child < seated; child = 2 * seat + 1) {
            if (child + 1 < seated && isBefore(at(child + 1), at(child))) {
                child++;
            }
            if (!isBefore(at(child), group)) {
                break;
            }
            sit(at(child), seat);
            seat = child;
        }
        sit(group, seat);
    }

    private void sit(GroupQueue group, int seat) {
        seats[seat] = group;
        group.seat = seat;
    }

    @SuppressWarnings("NullAway") // seats below the number of seated groups are taken
    private GroupQueue at(int seat) {
        return seats[seat];
    }

    private static boolean isBefore(GroupQueue one, GroupQueue other) {
        return one.seatedServed - other.seatedServed < 0;
    }

    private boolean hasFree(long seen) {
        return seated(seen) == 0 && (int) seen < limit;
    }

    private static int seated(long seen) {
        return (int) (seen >>> 32);
    }

    /** Returns how many permits are out; without a limit, the caller's own count. */
    int out(int counted) {
        return limit < GroupPolicy.UNLIMITED ? (int) word.get() : counted;
    }

    /** Reports the limit, if there is one, and how long tasks waited. */
    void read(Reading to) {
        int now = limit;
        if (now < GroupPolicy.UNLIMITED) {
            to.gauge("limit", now);
        }
        waits.read(to, "wait");
    }

    /** Returns how many tasks wait in all; without a threshold, the caller's own count. */
    int waiting(int counted) {
        return threshold < GroupPolicy.UNLIMITED ? waiting.get() : counted;
    }
}
