package io.tidegate.rate.lincheck;

import java.math.BigInteger;

/** The answers of {@link Permits} if one thread does one operation after the other. */
public class PermitsSpecification {
    /* A nanosecond has as many units as a period has permits. */
    private final BigInteger permits = BigInteger.valueOf(Setting.permits);
    private final BigInteger step = BigInteger.valueOf(Setting.period.toNanos());
    private BigInteger arrival = BigInteger.ZERO;

    public boolean tryAcquire(int wanted, int time) {
        if (nanosUntil(wanted, time) > 0) {
            return false;
        }
        arrival = arrival.max(now(time)).add(step.multiply(BigInteger.valueOf(wanted)));
        return true;
    }

    public long nanosUntil(int wanted, int time) {
        BigInteger now = now(time);
        BigInteger units = arrival.max(now).add(step.multiply(BigInteger.valueOf(wanted - Permits.BURST)));
        BigInteger[] nanos = units.subtract(now).max(BigInteger.ZERO).divideAndRemainder(permits);
        return nanos[0].longValue() + nanos[1].signum();
    }

    private BigInteger now(int time) {
        return permits.multiply(BigInteger.valueOf(Permits.TIMES[time]));
    }
}
