package io.tidegate.rate.lincheck;

import java.math.BigInteger;

/** What {@link Permits} answers when one thread does one thing after the other. */
public class PermitsSpecification {
    /*
     * A nanosecond has as many units as a period has permits. A try takes effect when it reads the time: that is after it
     * has read the arrival time, which nobody changes before it does.
     */
    private final BigInteger permits = BigInteger.valueOf(Setting.permits);
    private final BigInteger step = BigInteger.valueOf(Setting.period.toNanos());
    private BigInteger arrival = BigInteger.ZERO;
    private BigInteger now = BigInteger.ZERO;

    public boolean tryAcquire(int wanted) {
        if (nanosUntil(wanted) > 0) {
            return false;
        }
        arrival = arrival.max(now).add(step.multiply(BigInteger.valueOf(wanted)));
        return true;
    }

    public long nanosUntil(int wanted) {
        BigInteger units = arrival.max(now).add(step.multiply(BigInteger.valueOf(wanted - Permits.BURST)));
        BigInteger[] nanos = units.subtract(now).max(BigInteger.ZERO).divideAndRemainder(permits);
        return nanos[0].longValue() + nanos[1].signum();
    }

    public void pass(int span) {
        now = now.add(permits.multiply(BigInteger.valueOf(Permits.SPANS[span - 1])));
    }
}
