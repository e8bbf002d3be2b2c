package io.tidegate.breaker;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** The probes of one half-open period. */
final class Probes {
    /*
     * `taken` is one word, [takes so far | probes in flight], so that "is there room", "take it" and "which take is this" are
     * one compare-and-set, and the number of probes never exceeds the limit. Who has taken then gets a slot, by its bit in
     * `held`. A bit is set after its probe is in flight and cleared before it no longer is, so there is one left for it.
     *
     * A take that finds its period over may have come before the end or after it. It stands if somebody is known to have seen
     * the period go on after it. Who is refused has seen that of all takes that left it no room, and raises `vouched` to the
     * last of them. Who finds the period over sets SETTLED there: takes up to the number stand, later ones do not, and who
     * comes to vouch for those learns that the period is over. So nobody is refused for a take that does not stand; and one
     * after the end never stands, since whoever vouches has seen the period go on, and knows of no take after that look.
     *
     * A slot's tag says who is in it: a sequence number that rises with each holder, and whether that holder
     *
     *   LEFT      by itself (or there was none yet)
     *   IN        holds the slot
     *   EVICTED   was put out after its time, and its outcome has not been told yet
     *
     * Only the winner of a slot's bit writes its start time, before the tag says IN: who reads IN, then the time, and then
     * changes the tag by compare-and-set has read the time of that very holder.
     *
     * A holder leaves by IN -> LEFT on its own sequence number, which it can do once. When there is no room, holders whose
     * time is over are put out by IN -> EVICTED. Whoever takes the slot of one who was put out keeps that in `expired`, a bit
     * for each of the slot's last 64 holders, so that its outcome is known to be late and not a second use of a stamp. Of
     * holders before those nothing is known, and they count as late.
     */
    private static final int IN_FLIGHT_BITS = 7;
    private static final long ONE_TAKE = (1L << IN_FLIGHT_BITS) + 1;
    private static final long SETTLED = Long.MIN_VALUE;
    private static final int LEFT = 0;
    private static final int IN = 1;
    private static final int EVICTED = 2;
    private static final int REMEMBERED = Long.SIZE;
    private static final int SLOTS = CircuitBreaker.LARGEST_MAX_REQUESTS;

    /** What became of a probe whose outcome is told. */
    enum End {
        /** It held its slot until now. */
        IN_TIME,
        /** Its slot was taken from it. */
        EXPIRED,
        /** Its outcome was told before, or it never was. */
        UNKNOWN
    }

    private final AtomicLong taken = new AtomicLong(ONE_TAKE);
    private final AtomicLong vouched = new AtomicLong();
    private final AtomicLong held = new AtomicLong();
    private final AtomicLongArray tags = new AtomicLongArray(SLOTS);
    private final AtomicLongArray starts = new AtomicLongArray(SLOTS);
    private final AtomicLongArray expired = new AtomicLongArray(SLOTS);
    private final AtomicLong ignored = new AtomicLong();
    private final AtomicLong successes = new AtomicLong();

    /**
     * Takes a place for one more probe. That of the first is taken from the start.
     *
     * @return the number of this take; or, if there is no room, that of the last one, negated
     */
    long tryTake(int limit, long now, long timeout) {
        for (; ; ) {
            long seen = taken.get();
            if (inFlight(seen) < limit) {
                if (taken.compareAndSet(seen, seen + ONE_TAKE)) {
                    return takes(seen + ONE_TAKE);
                }
            } else if (!evict(now, timeout)) {
                return -takes(seen);
            }
        }
    }

    private boolean evict(long now, long timeout) {
        boolean evicted = false;
        for (long left = held.get(); left != 0; left &= left - 1) {
            int slot = Long.numberOfTrailingZeros(left);
            long tag = tags.get(slot);
            if (state(tag) == IN
                    && now - starts.get(slot) >= timeout
                    && tags.compareAndSet(slot, tag, tag(sequence(tag), EVICTED))) {
                free(slot);
                evicted = true;
            }
        }
        return evicted;
    }

    /**
     * Lets the takes up to this one stand, by somebody who has seen the period go on after it.
     *
     * @return false if the period has been found over before
     */
    boolean vouchFor(long take) {
        for (; ; ) {
            long seen = vouched.get();
            if ((seen & ~SETTLED) >= take) {
                return true;
            }
            if ((seen & SETTLED) != 0) {
                return false;
            }
            if (vouched.compareAndSet(seen, take)) {
                return true;
            }
        }
    }

    /** Whether a take stands that has found its period over. */
    boolean stands(long take) {
        return (vouched.accumulateAndGet(SETTLED, (bits, more) -> bits | more) & ~SETTLED) >= take;
    }

    /**
     * Gets a slot for a probe whose place is taken.
     *
     * @return the slot and the sequence number as they stand in a stamp
     */
    int enter(long now) {
        int slot = hold();
        starts.set(slot, now);
        for (; ; ) {
            long tag = tags.get(slot);
            long sequence = sequence(tag) + 1;
            remember(slot, sequence - 1, state(tag) == EVICTED);
            if (tags.compareAndSet(slot, tag, tag(sequence, IN))) {
                return Stamp.holder(slot, sequence);
            }
        }
    }

    private int hold() {
        for (; ; ) {
            long seen = held.get();
            int slot = Long.numberOfTrailingZeros(~seen);
            if (held.compareAndSet(seen, seen | (1L << slot))) {
                return slot;
            }
        }
    }

    private void remember(int slot, long sequence, boolean evicted) {
        long bit = 1L << sequence;
        if (evicted) {
            expired.accumulateAndGet(slot, bit, (bits, more) -> bits | more);
        } else {
            expired.accumulateAndGet(slot, ~bit, (bits, mask) -> bits & mask);
        }
    }

    /** Lets others have the slot and the place of a holder that has left in time. */
    void free(int slot) {
        held.accumulateAndGet(~(1L << slot), (bits, mask) -> bits & mask);
        taken.decrementAndGet();
    }

    /** A holder's outcome is told. One that held its slot until now keeps it from others until that is freed. */
    End leave(int slot, int sequence) {
        for (; ; ) {
            long tag = tags.get(slot);
            int behind = ((int) sequence(tag) - sequence) & Stamp.SEQUENCE_MASK;
            if (behind > 0) {
                return leaveLate(slot, sequence, behind);
            }
            if (state(tag) == LEFT) {
                return End.UNKNOWN;
            }
            if (tags.compareAndSet(slot, tag, tag(sequence(tag), LEFT))) {
                return state(tag) == EVICTED ? End.EXPIRED : End.IN_TIME;
            }
        }
    }

    private End leaveLate(int slot, int sequence, int behind) {
        if (behind > REMEMBERED) {
            return End.EXPIRED;
        }
        long bit = 1L << sequence;
        long before = expired.getAndAccumulate(slot, ~bit, (bits, mask) -> bits & mask);
        return (before & bit) != 0 ? End.EXPIRED : End.UNKNOWN;
    }

    /** How long until the oldest probe's slot can be taken, at least 1. */
    long untilExpiry(long now, long timeout) {
        long longest = 0;
        for (long left = held.get(); left != 0; left &= left - 1) {
            longest = Math.max(longest, now - starts.get(Long.numberOfTrailingZeros(left)));
        }
        return Math.max(1, timeout - longest);
    }

    long succeed() {
        return successes.incrementAndGet();
    }

    void ignore() {
        ignored.incrementAndGet();
    }

    int inFlight() {
        return inFlight(taken.get());
    }

    Counts counts() {
        long ended = successes.get();
        long left = ignored.get();
        long requests = Math.max(ended, takes(taken.get()) - left);
        return new Counts(requests, ended, 0, ended, 0);
    }

    private static int inFlight(long word) {
        return (int) word & ((1 << IN_FLIGHT_BITS) - 1);
    }

    private static long takes(long word) {
        return word >>> IN_FLIGHT_BITS;
    }

    private static long tag(long sequence, int state) {
        return (sequence << 2) | state;
    }

    private static int state(long tag) {
        return (int) tag & 3;
    }

    private static long sequence(long tag) {
        return tag >>> 2;
    }
}
