package io.tidegate.rate;

import java.math.BigInteger;

/**
 * An arrival time that counts permits since the limiter was last full, or since its base: for rates too fine for {@link
 * ArrivalInUnits}.
 */
final class ArrivalInPermits extends ArrivalTime {
    /*
     * A full limiter begins at a whole nanosecond, and from then on the arrival time moves in steps of one permit. So
     * that instant and the number of steps give the exact time, however long a step is:
     *
     *   | BASE, 1 bit | nanoseconds from the origin to when it was last full, 30 bits | steps since, 31 bits |
     *
     * With BASE, the limiter has not been full since the origin, and the steps count from the base, `baseNanos` and
     * `baseUnits` after the origin. After 2^30 nanoseconds, which is more than a second, the next thread that takes
     * permits starts over with a new origin. So does a thread that takes more steps than the 31 bits can count.
     *
     * Comparisons use products of up to 128 bits: there is no division, and nothing is rounded.
     */
    private static final int STEP_BITS = 31;
    private static final long STEPS = (1L << STEP_BITS) - 1;
    private static final long LAPSE = 1L << 30;
    private static final long BASE = LAPSE << STEP_BITS;

    private final long origin;
    private final long baseNanos;
    private final long baseUnits;

    ArrivalInPermits(Rate rate, long origin, long baseNanos, long baseUnits, long steps) {
        super(rate, 0, BASE | steps);
        this.origin = origin;
        this.baseNanos = baseNanos;
        this.baseUnits = baseUnits;
    }

    private long fromNanos(long value) {
        return (value & BASE) != 0 ? baseNanos : value >>> STEP_BITS;
    }

    private long fromUnits(long value) {
        return (value & BASE) != 0 ? baseUnits : 0;
    }

    private static long steps(long value) {
        return value & STEPS;
    }

    /** Returns whether so many steps from the value's instant end no later than now. */
    private boolean isOver(long value, long steps, long passed) {
        long since = passed - fromNanos(value);
        if (passed < -NEVER) {
            return false;
        }
        long units = fromUnits(value);
        long low = steps * rate.unitsPerPermit + units;
        long high = Math.multiplyHigh(steps, rate.unitsPerPermit)
                + (Long.compareUnsigned(low, units) < 0 ? 1 : 0); // the carry
        long sinceHigh = Math.multiplyHigh(since, rate.unitsPerNano);
        return high != sinceHigh ? high < sinceHigh : Long.compareUnsigned(low, since * rate.unitsPerNano) <= 0;
    }

    @Override
    long after(long value, long now, long permits) {
        long passed = now - origin;
        long steps = steps(value);
        if (isOver(value, steps, passed)) {
            return passed < LAPSE && permits <= STEPS ? passed << STEP_BITS | permits : ELSEWHERE;
        }
        if (!isOver(value, steps - (rate.burst - permits), passed)) {
            return NOT_YET;
        }
        return passed < LAPSE && permits <= STEPS - steps ? value + permits : ELSEWHERE;
    }

    @Override
    long nanosUntil(long value, long now, long permits) {
        long ifFull = permits > rate.burst ? rate.nanosOf(permits - rate.burst) : 0;
        long steps = steps(value) + (permits - rate.burst);
        return Math.max(ifFull, left(fromNanos(value) + nanosOf(steps, fromUnits(value)), now - origin));
    }

    /* Rounds up. The steps may be negative. */
    private long nanosOf(long steps, long units) {
        long whole = rate.wholeNanosOf(Math.abs(steps));
        if (whole == NEVER) {
            return NEVER;
        }
        long beyond = rate.unitsBeyond(Math.abs(steps), whole);
        return steps < 0
                ? divide(units - beyond, rate.unitsPerNano) - whole
                : divide(units + beyond, rate.unitsPerNano) + whole;
    }

    @Override
    ArrivalTime renewed(long value, long now, long permits) {
        long passed = now - origin;
        if (isOver(value, steps(value), passed)) {
            return base(now, 0, 0, permits);
        }
        long start = Math.max(passed, 0);
        long steps = steps(value);
        long whole = rate.wholeNanosOf(steps);
        long units = fromUnits(value) + rate.unitsBeyond(steps, whole);
        return base(origin + start, fromNanos(value) + whole - start, units, permits);
    }

    private ArrivalTime base(long now, long nanos, long units, long permits) {
        long whole = rate.wholeNanosOf(permits);
        long allUnits = units + rate.unitsBeyond(permits, whole);
        return new ArrivalInPermits(
                rate, now, nanos + whole + allUnits / rate.unitsPerNano, allUnits % rate.unitsPerNano, 0);
    }

    @Override
    BigInteger lacking(long value, long now) {
        BigInteger nanos = BigInteger.valueOf(fromNanos(value)).subtract(BigInteger.valueOf(now - origin));
        BigInteger taken = BigInteger.valueOf(steps(value)).multiply(BigInteger.valueOf(rate.unitsPerPermit));
        return nanos.multiply(BigInteger.valueOf(rate.unitsPerNano))
                .add(BigInteger.valueOf(fromUnits(value)))
                .add(taken);
    }
}
