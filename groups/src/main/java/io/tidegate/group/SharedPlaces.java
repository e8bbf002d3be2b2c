package io.tidegate.group;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What all lanes share: the places under the common limit, who is next to get one, and how many wait in all. */
final class SharedPlaces {
    /*
     * One word says how many places are out and how many lanes are seated:
     *
     *   | seated, 32 bits | out, 32 bits |
     *
     * A lane is seated while its first waiter lacks nothing but a place. The seats are a heap, ordered by how long that
     * waiter has waited; they and the upper half of the word change under the lock, which is taken after that of the
     * lane and never before it.
     *
     *   seated > 0  implies  out = limit                                                          (full)
     *
     * A place is taken only if nobody is seated; a lane sits down only in the compare-and-set that finds no place free
     * or somebody seated; and a place is given back only in one that finds nobody seated. Otherwise the place stays out
     * and is passed on: whoever holds it looks who is first, locks that lane, looks again, and starts its first waiter
     * with it. Between the two looks the lane stays seated, so (full) holds and no place can become free beside it:
     * nobody is left sitting next to a free place.
     *
     * Without a common limit nothing of this is touched.
     */
    private static final long ONE_SEATED = 1L << 32;

    private final int limit;
    private final int threshold;
    private final LongSupplier clock;
    private final AtomicLong word = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private final ShortLock lock = new ShortLock();
    private @Nullable Lane[] seats = new Lane[16];
    private int lanes;
    private volatile boolean closed;

    SharedPlaces(int limit, int threshold, LongSupplier clock) {
        this.limit = limit;
        this.threshold = threshold;
        this.clock = clock;
    }

    private boolean isLimited() {
        return limit < GroupPolicy.UNLIMITED;
    }

    /** Never {@link Waiter#NOT_WAITING}. */
    long now() {
        return Math.max(clock.getAsLong(), Waiter.NOT_WAITING + 1);
    }

    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Makes sure that each lane can sit, so that sitting down needs no memory. */
    void addLane() {
        if (isLimited()) {
            lock.lock();
            try {
                if (lanes == seats.length) {
                    seats = Arrays.copyOf(seats, 2 * lanes);
                }
                lanes++;
            } finally {
                lock.unlock();
            }
        }
    }

    void removeLane() {
        if (isLimited()) {
            lock.lock();
            try {
                lanes--;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Counts one more that waits, unless that are enough. */
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

    boolean tryTake() {
        if (!isLimited()) {
            return true;
        }
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

    /** Takes a place, or seats the lane. The lane must not be seated. */
    boolean takeOrSeat(Lane lane, long since) {
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
                    insert(lane, since, seated(seen));
                    return false;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * With a place in hand: says whether the lane may keep it, and else seats the lane. The lane must not be seated.
     */
    boolean keepOrSeat(Lane lane, long since) {
        if (!isLimited() || seated(word.get()) == 0) {
            return true;
        }
        lock.lock();
        try {
            int seated = seated(word.get());
            if (seated == 0) {
                return true;
            }
            word.getAndAdd(ONE_SEATED);
            insert(lane, since, seated);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Gives the place in hand to whoever is first, or back. Must be called with no lane locked. */
    @Nullable
    Waiter passOn() {
        if (!isLimited()) {
            return null;
        }
        for (; ; ) {
            Lane first = firstOrGiveBack();
            if (first == null) {
                return null;
            }
            Waiter started = first.startIfFirst();
            if (started != null) {
                return started;
            }
        }
    }

    private @Nullable Lane firstOrGiveBack() {
        for (; ; ) {
            long seen = word.get();
            if (seated(seen) > 0) {
                Lane first = first();
                if (first != null) {
                    return first;
                }
            } else if (word.compareAndSet(seen, seen - 1)) {
                return null;
            }
        }
    }

    private @Nullable Lane first() {
        lock.lock();
        try {
            return seats[0];
        } finally {
            lock.unlock();
        }
    }

    /** The lane must be seated. */
    boolean isFirst(Lane lane) {
        lock.lock();
        try {
            return lane.seat == 0;
        } finally {
            lock.unlock();
        }
    }

    /** The seated lane's first waiter is another one now. */
    void reseat(Lane lane, long since) {
        lock.lock();
        try {
            int seated = seated(word.get());
            lane.seatedSince = since;
            sink(lane, lane.seat, seated);
            rise(lane, lane.seat);
        } finally {
            lock.unlock();
        }
    }

    void unseat(Lane lane) {
        lock.lock();
        try {
            int left = seated(word.getAndAdd(-ONE_SEATED)) - 1;
            Lane moved = at(left);
            seats[left] = null;
            if (lane.seat < left) {
                sink(moved, lane.seat, left);
                rise(moved, moved.seat);
            }
        } finally {
            lock.unlock();
        }
    }

    private void insert(Lane lane, long since, int seated) {
        lane.seatedSince = since;
        rise(lane, seated);
    }

    private void rise(Lane lane, int from) {
        int seat = from;
        while (seat > 0 && isBefore(lane, at((seat - 1) / 2))) {
            sit(at((seat - 1) / 2), seat);
            seat = (seat - 1) / 2;
        }
        sit(lane, seat);
    }

    private void sink(Lane lane, int from, int seated) {
        int seat = from;
        for (int child = 2 * seat + 1; child < seated; child = 2 * seat + 1) {
            if (child + 1 < seated && isBefore(at(child + 1), at(child))) {
                child++;
            }
            if (!isBefore(at(child), lane)) {
                break;
            }
            sit(at(child), seat);
            seat = child;
        }
        sit(lane, seat);
    }

    private void sit(Lane lane, int seat) {
        seats[seat] = lane;
        lane.seat = seat;
    }

    @SuppressWarnings("NullAway") // seats below the number of seated lanes are taken
    private Lane at(int seat) {
        return seats[seat];
    }

    private static boolean isBefore(Lane one, Lane other) {
        return one.seatedSince - other.seatedSince < 0;
    }

    private boolean hasFree(long seen) {
        return seated(seen) == 0 && (int) seen < limit;
    }

    private static int seated(long seen) {
        return (int) (seen >>> 32);
    }

    /** How many places are out; without a limit, what the caller has counted. */
    int out(int counted) {
        return isLimited() ? (int) word.get() : counted;
    }

    /** How many wait in all; without a threshold, what the caller has counted. */
    int waiting(int counted) {
        return threshold < GroupPolicy.UNLIMITED ? waiting.get() : counted;
    }
}
