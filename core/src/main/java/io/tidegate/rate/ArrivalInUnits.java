package io.tidegate.rate;

import java.math.BigInteger;

/**
 * An arrival time that counts units since its origin: for rates of which a second and a whole burst fit into the value,
 * which are almost all.
 */
final class ArrivalInUnits extends ArrivalTime {
    /*
     *   | units from the origin to the arrival time, 58 or 62 bits | permits counted, 4 bits or none |
     *
     * Nothing is rounded: the present time, too, is a whole number of units. After `lapse` nanoseconds, the present
     * time plus a burst does not fit any more, and the next thread that takes permits starts over with a new origin. If
     * a permit takes whole nanoseconds, that is after years. If a burst and a second leave no room for the count of
     * permits, there is no such count.
     *
     * The present time may be before the origin, if the clock went back.
     */
    private static final int COUNT_BITS = 4;
    private static final long AT_LEAST_NANOS = 1_000_000_000L;

    private final long origin;
    private final long unitsPerNano;
    private final long unitsPerPermit;
    private final long depth;
    private final long lapse;
    private final int countBits;

    ArrivalInUnits(Rate rate, long origin, long units) {
        this(rate, origin, units, fits(rate, COUNT_BITS) ? COUNT_BITS : 0);
    }

    private ArrivalInUnits(Rate rate, long origin, long units, int countBits) {
        super(rate, (1L << countBits) - 1, units << countBits);
        this.origin = origin;
        this.unitsPerNano = rate.unitsPerNano;
        this.unitsPerPermit = rate.unitsPerPermit;
        this.depth = rate.burst * unitsPerPermit;
        this.countBits = countBits;
        this.lapse = (most() - depth) / unitsPerNano;
    }

    /** Returns whether a value can hold at least a second and a burst. */
    static boolean fits(Rate rate) {
        return fits(rate, 0);
    }

    private static boolean fits(Rate rate, int countBits) {
        BigInteger depth = BigInteger.valueOf(rate.burst).multiply(BigInteger.valueOf(rate.unitsPerPermit));
        BigInteger second = BigInteger.valueOf(rate.unitsPerNano).multiply(BigInteger.valueOf(AT_LEAST_NANOS));
        return depth.add(second).compareTo(BigInteger.valueOf(VALUE >>> countBits)) <= 0;
    }

    private long most() {
        return VALUE >>> countBits;
    }

    @Override
    long after(long value, long now, long permits) {
        long passed = now - origin;
        long units = value >>> countBits;
        if (passed < 0 || passed >= lapse) {
            return passed < 0 ? afterStepBack(value, passed, permits) : afterLapse(units, passed, permits);
        }
        long at = passed * unitsPerNano;
        long next = Math.max(units, at) + permits * unitsPerPermit;
        return next - at <= depth ? next << countBits | countedAfter(value, permits) : NOT_YET;
    }

    private long countedAfter(long value, long permits) {
        long counted = counted(value) + permits;
        return counted <= countMask ? counted : 0;
    }

    private long afterStepBack(long value, long passed, long permits) {
        long next = (value >>> countBits) + permits * unitsPerPermit;
        return next <= depth && passed >= -((depth - next) / unitsPerNano)
                ? next << countBits | countedAfter(value, permits)
                : NOT_YET;
    }

    private long afterLapse(long units, long passed, long permits) {
        return ahead(units, passed) + permits * unitsPerPermit <= depth ? ELSEWHERE : NOT_YET;
    }

    /*
     * Returns how many units the limiter lacks until it is full. A present time beyond all possible values means: none.
     */
    private long ahead(long units, long passed) {
        return passed > most() / unitsPerNano ? 0 : Math.max(0, units - passed * unitsPerNano);
    }

    @Override
    long nanosUntil(long value, long now, long permits) {
        long units = value >>> countBits;
        long steps = permits - rate.burst;
        if (steps > 0 && steps > (Long.MAX_VALUE - units) / unitsPerPermit) {
            return NEVER;
        }
        long ifFull = divide(steps * unitsPerPermit, unitsPerNano);
        long ifNot = left(divide(units + steps * unitsPerPermit, unitsPerNano), now - origin);
        return Math.max(0, Math.max(ifFull, ifNot));
    }

    @Override
    ArrivalTime renewed(long value, long now, long permits) {
        long passed = now - origin;
        long units = value >>> countBits;
        long taken = permits * unitsPerPermit;
        return passed <= 0
                ? new ArrivalInUnits(rate, origin, units + taken, countBits)
                : new ArrivalInUnits(rate, now, ahead(units, passed) + taken, countBits);
    }

    @Override
    BigInteger lacking(long value, long now) {
        return BigInteger.valueOf(value >>> countBits)
                .subtract(BigInteger.valueOf(now - origin).multiply(BigInteger.valueOf(unitsPerNano)));
    }
}
