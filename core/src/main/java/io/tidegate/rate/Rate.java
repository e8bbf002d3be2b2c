package io.tidegate.rate;

import static java.util.Objects.requireNonNull;

import java.math.BigInteger;
import java.time.Duration;

/** A number of permits in a period, in lowest terms, and a burst. */
final class Rate {
    /** The burst of a builder without one. */
    static final long FOLLOWS_PERMITS = 0;

    private static final Duration LONGEST = Duration.ofNanos(RateLimiter.LARGEST);

    final long burst;

    /** How many units a nanosecond has. Units are so small that a permit takes a whole number of them. */
    final long unitsPerNano;

    /** How many units a permit takes. */
    final long unitsPerPermit;

    private Rate(long burst, long unitsPerNano, long unitsPerPermit) {
        this.burst = burst;
        this.unitsPerNano = unitsPerNano;
        this.unitsPerPermit = unitsPerPermit;
    }

    /** @param givenBurst the burst, or {@link #FOLLOWS_PERMITS} */
    static Rate of(long permits, Duration period, long givenBurst) {
        long nanos = requirePeriod(period).toNanos();
        BigInteger divisor =
                BigInteger.valueOf(requirePermits("permits", permits)).gcd(BigInteger.valueOf(nanos));
        long common = divisor.longValue();
        long burst = givenBurst == FOLLOWS_PERMITS ? permits : givenBurst;
        Rate rate = new Rate(burst, permits / common, nanos / common);
        if (rate.nanosOf(burst) > RateLimiter.LARGEST) {
            throw new IllegalArgumentException("burst: " + burst + " (expected: at most what fills in " + LONGEST
                    + " at " + permits + " in " + period + ")");
        }
        return rate;
    }

    static long requirePermits(String name, long permits) {
        if (permits < 1 || permits > RateLimiter.LARGEST) {
            throw new IllegalArgumentException(
                    name + ": " + permits + " (expected: from 1 to " + RateLimiter.LARGEST + ")");
        }
        return permits;
    }

    static Duration requirePeriod(Duration period) {
        if (requireNonNull(period, "period").isNegative() || period.isZero() || period.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "period: " + period + " (expected: longer than zero, at most " + LONGEST + ")");
        }
        return period;
    }

    double permitsPerSecond() {
        return 1e9 * unitsPerNano / unitsPerPermit;
    }

    long requireWithinBurst(long permits) {
        if (permits < 1 || permits > burst) {
            throw new IllegalArgumentException(
                    "permits: " + permits + " (expected: from 1 to the burst, " + burst + ")");
        }
        return permits;
    }

    /** How long so many permits take, rounded up; {@link ArrivalTime#NEVER} if that is not countable. */
    long nanosOf(long permits) {
        long whole = wholeNanosOf(permits);
        return whole == ArrivalTime.NEVER || unitsBeyond(permits, whole) == 0 ? whole : whole + 1;
    }

    /** How long so many permits take, rounded down; {@link ArrivalTime#NEVER} if that is not countable. */
    long wholeNanosOf(long permits) {
        long high = Math.multiplyHigh(permits, unitsPerPermit);
        long low = permits * unitsPerPermit;
        if (high == 0 && low >= 0) {
            return Math.min(low / unitsPerNano, ArrivalTime.NEVER);
        }
        return high >= unitsPerNano ? ArrivalTime.NEVER : Math.min(divide(high, low), ArrivalTime.NEVER);
    }

    /**
     * How many units so many permits take beyond these nanoseconds. The products may overflow; their difference does
     * not.
     */
    long unitsBeyond(long permits, long wholeNanos) {
        return permits * unitsPerPermit - wholeNanos * unitsPerNano;
    }

    /* Divides a number of 128 bits bit by bit. */
    private long divide(long high, long low) {
        long rest = high;
        long quotient = 0;
        for (int bit = Long.SIZE - 1; bit >= 0; bit--) {
            rest = rest << 1 | (low >>> bit & 1);
            quotient <<= 1;
            if (rest >= unitsPerNano) {
                rest -= unitsPerNano;
                quotient |= 1;
            }
        }
        return quotient < 0 ? ArrivalTime.NEVER : quotient;
    }

    /** Returns the arrival time of a limiter of this rate that is full now. */
    ArrivalTime full(long now) {
        return arrival(now, BigInteger.ZERO);
    }

    /**
     * Returns the arrival time of a limiter of this rate that is as full as one of the other rate that lacks so many
     * units of that rate; the lack is rounded up to a unit.
     */
    ArrivalTime asFull(long now, BigInteger lacking, Rate other) {
        BigInteger otherDepth = other.depth();
        if (lacking.signum() <= 0) {
            return full(now);
        }
        BigInteger tooMany = lacking.subtract(otherDepth);
        if (tooMany.signum() > 0) { // the clock went back: the limiter is empty until the clock is where it was
            BigInteger[] back = tooMany.divideAndRemainder(BigInteger.valueOf(other.unitsPerNano));
            return arrival(now + back[0].longValue() + back[1].signum(), depth());
        }
        BigInteger[] anew = lacking.multiply(depth()).divideAndRemainder(otherDepth);
        return arrival(now, anew[0].add(BigInteger.valueOf(anew[1].signum())));
    }

    /** Returns in how many units the limiter fills. */
    private BigInteger depth() {
        return BigInteger.valueOf(burst).multiply(BigInteger.valueOf(unitsPerPermit));
    }

    private ArrivalTime arrival(long origin, BigInteger units) {
        if (ArrivalInUnits.fits(this)) {
            return new ArrivalInUnits(this, origin, units.longValue());
        }
        BigInteger[] parts = units.divideAndRemainder(BigInteger.valueOf(unitsPerNano));
        return new ArrivalInPermits(this, origin, parts[0].longValue(), parts[1].longValue(), 0);
    }
}
