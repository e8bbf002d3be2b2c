package io.tidegate.rate;

import java.math.BigInteger;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The theoretical arrival time of GCRA, the generic cell rate algorithm: the time at which the limiter is full again.
 * The limiter is full while that time is not after now, and empty when it is a whole burst after now.
 */
abstract class ArrivalTime {
    /*
     * Taking m permits moves the time by m steps, from where it is or from now, whichever is later; that is allowed if
     * the time is then no more than a burst after now. So one number is the whole state. It is kept in one word with
     * two flags:
     *
     *   | CLOSED | FROZEN | value, 62 bits |
     *
     *   neither   a thread that takes permits moves the value by a compare-and-set
     *   CLOSED    a submission waits, or the rate changes: only the thread that holds the limiter's lock takes permits
     *   both      the value can move no further, and is final. The next thread that takes permits replaces this object
     *             by another one. Any thread can, so none has to wait for another.
     *
     * The lowest bits of a value, those of `countMask`, may count permits taken. The limiter counts in an adder what
     * these bits cannot hold, so a second atomic step is needed only once in a few admissions.
     *
     * Subclasses define what a value means. Their methods are pure functions of a value and the time. An object never
     * has the same value twice, so a compare-and-set cannot mistake it for an older one. A refusal by a time that was
     * read after the value is right at that instant: a change in between can only have taken permits.
     */
    static final long CLOSED = Long.MIN_VALUE;
    static final long FROZEN = CLOSED | 1L << 62;
    static final long VALUE = (1L << 62) - 1;

    /** An answer of {@link #after}: there are not that many permits. */
    static final long NOT_YET = -1;

    /** An answer of {@link #after}: there are that many permits, but the value cannot be moved that far. */
    static final long ELSEWHERE = -2;

    /** An endless wait, far longer than any that is allowed. */
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

    /**
     * Returns the value after so many permits are taken, no more than a burst; or {@link #NOT_YET} or {@link
     * #ELSEWHERE}.
     */
    abstract long after(long value, long now, long permits);

    /**
     * Returns how long until so many permits are there, or would be there if the burst were large enough; 0 if they are
     * there now.
     */
    abstract long nanosUntil(long value, long now, long permits);

    /** Returns the state after taking the permits, which must be there, as another object with an origin of now. */
    abstract ArrivalTime renewed(long value, long now, long permits);

    /** How many units are missing until it is full; negative or zero if it is full. */
    abstract BigInteger lacking(long value, long now);

    /** How many permits the value has counted. */
    final long counted(long value) {
        return value & countMask;
    }

    static boolean isFrozen(long word) {
        return (word & FROZEN) == FROZEN;
    }

    /** Divides and rounds up. */
    static long divide(long units, long unitsPerNano) {
        return -Math.floorDiv(-units, unitsPerNano);
    }

    /** Returns what is left of a wait that began at the origin, after so much time. */
    static long left(long nanos, long passed) {
        return nanos >= NEVER ? NEVER : Math.min(nanos - Math.max(passed, -NEVER), NEVER);
    }
}
