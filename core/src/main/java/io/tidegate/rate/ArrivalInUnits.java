package io.tidegate.rate;

import java.math.BigInteger;

/** Counts units since its origin. For rates of which a second and a whole burst fit into the value: almost all. */
final class ArrivalInUnits extends ArrivalTime {
    /*
     * Nothing is ever rounded: now, too, is a whole number of units. After `lapse` nanoseconds now plus a burst is more than a
     * value can be, and the next who takes permits begins anew, with an origin of its own. If a permit takes whole
     * nanoseconds, that is after seventy years or more.
     *
     * Time may be before the origin, if it went back.
     */
    private static final long AT_LEAST_NANOS = 1_000_000_000L;

    private final long origin;
    private final long unitsPerNano;
    private final long unitsPerPermit;
    private final long depth;
    private final long lapse;

    ArrivalInUnits(Rate rate, long origin, long value) {
        super(rate, value);
        this.origin = origin;
        this.unitsPerNano = rate.unitsPerNano;
        this.unitsPerPermit = rate.unitsPerPermit;
        this.depth = rate.burst * unitsPerPermit;
        this.lapse = (VALUE - depth) / unitsPerNano;
    }

    /** Whether a value lasts for a second at least. */
    static boolean fits(Rate rate) {
        BigInteger depth = BigInteger.valueOf(rate.burst).multiply(BigInteger.valueOf(rate.unitsPerPermit));
        BigInteger second = BigInteger.valueOf(rate.unitsPerNano).multiply(BigInteger.valueOf(AT_LEAST_NANOS));
        return depth.add(second).compareTo(BigInteger.valueOf(VALUE)) <= 0;
    }

    @Override
    long after(long value, long now, long permits) {
        long passed = now - origin;
        if (passed < 0 || passed >= lapse) {
            return passed < 0 ? afterStepBack(value, passed, permits) : afterLapse(value, passed, permits);
        }
        long at = passed * unitsPerNano;
        long next = Math.max(value, at) + permits * unitsPerPermit;
        return next - at <= depth ? next : NOT_YET;
    }

    private long afterStepBack(long value, long passed, long permits) {
        long next = value + permits * unitsPerPermit;
        return next <= depth && passed >= -((depth - next) / unitsPerNano) ? next : NOT_YET;
    }

    private long afterLapse(long value, long passed, long permits) {
        long ahead = ahead(value, passed);
        return ahead + permits * unitsPerPermit <= depth ? ELSEWHERE : NOT_YET;
    }

    /* How far it is from full. What is further from the origin than any value can be has passed all of them. */
    private long ahead(long value, long passed) {
        return passed > VALUE / unitsPerNano ? 0 : Math.max(0, value - passed * unitsPerNano);
    }

    @Override
    long nanosUntil(long value, long now, long permits) {
        long steps = permits - rate.burst;
        if (steps > 0 && steps > (Long.MAX_VALUE - value) / unitsPerPermit) {
            return NEVER;
        }
        long ifFull = divide(steps * unitsPerPermit, unitsPerNano);
        long ifNot = left(divide(value + steps * unitsPerPermit, unitsPerNano), now - origin);
        return Math.max(0, Math.max(ifFull, ifNot));
    }

    @Override
    ArrivalTime renewed(long value, long now, long permits) {
        long passed = now - origin;
        long taken = permits * unitsPerPermit;
        if (passed <= 0) {
            return new ArrivalInUnits(rate, origin, value + taken);
        }
        return new ArrivalInUnits(rate, now, ahead(value, passed) + taken);
    }

    @Override
    BigInteger lacking(long value, long now) {
        return BigInteger.valueOf(value)
                .subtract(BigInteger.valueOf(now - origin).multiply(BigInteger.valueOf(unitsPerNano)));
    }
}
