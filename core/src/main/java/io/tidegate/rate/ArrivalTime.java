package io.tidegate.rate;

import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * When, at its rate, the next permit would be given out: the theoretical arrival time of GCRA, the generic cell rate
 * algorithm. The limiter is full while that is not after now, and empty when it is a whole burst after now.
 */
abstract class ArrivalTime {
    /*
     * Taking m permits moves the time by m steps, from where it is or from now, whichever is later; that is allowed
     * if it is then no more than a burst after now. So all there is to know is one number, kept in one word with two
     * flags:
     *
     *   | CLOSED | FROZEN | value, 62 bits |
     *
     *   neither   a thread that takes permits moves the value by a compare-and-set
     *   CLOSED    a submission waits, or the rate changes: only the thread that holds the limiter's lock takes permits
     *   both      the value can do no more, and is final. The next thread that takes permits replaces this object by
     *             another one. Any thread can, so none has to wait for another.
     *
     * The lowest bits of a value may count permits taken, those of `countMask`. What they cannot hold any more, the
     * limiter counts elsewhere: a second atomic step for every few admissions only.
     *
     * How a value says when is the subclasses' affair. Their methods are pure functions of a value and the time. An
     * object never has the same value twice, so a compare-and-set cannot mistake it for an older one; and a time read
     * after the value makes a refusal right at that instant: whatever came meanwhile, it only took permits.
     */
    static final long CLOSED = Long.MIN_VALUE;
    static final long FROZEN = CLOSED | 1L << 62;
    static final long VALUE = (1L << 62) - 1;

    /** From {@link #after}: there are not that many permits. */
    static final long NOT_YET = -1;

    /** From {@link #after}: there are, but the value cannot be moved that far. */
    static final long ELSEWHERE = -2;

    /** A wait that has no end in sight: far more than anything that is ever waited for. */
    static final long NEVER = 1L << 62;

    static final AtomicLongFieldUpdater<ArrivalTime> WORD =
            AtomicLongFieldUpdater.newUpdater(ArrivalTime.class, "word");

    final Rate rate;
    final long countMask;
    volatile long word;

    ArrivalTime(Rate rate, long countMask, long value) {
        this.rate = rate;
        this.countMask = countMask;
        this.word = value;
    }

    /** The value after so many permits are taken, no more than a burst; or {@link #NOT_YET} or {@link #ELSEWHERE}. */
    abstract long after(long value, long now, long permits);

    /** How long until so many permits are there, or would be if more than a burst fitted in; 0 if now. */
    abstract long nanosUntil(long value, long now, long permits);

    /** The same with the permits taken, which must be there, in another object that begins now. */
    abstract ArrivalTime renewed(long value, long now, long permits);

    /** How many units it is from full; negative or zero if it is. */
    abstract BigInteger lacking(long value, long now);

    /** How many permits the value has counted. */
    final long counted(long value) {
        return value & countMask;
    }

    static boolean isFrozen(long word) {
        return (word & FROZEN) == FROZEN;
    }

    /** Rounded up. */
    static long divide(long units, long unitsPerNano) {
        return -Math.floorDiv(-units, unitsPerNano);
    }

    /** A wait from the origin on, of which so much has passed. */
    static long left(long nanos, long passed) {
        return nanos >= NEVER ? NEVER : Math.min(nanos - Math.max(passed, -NEVER), NEVER);
    }
}
