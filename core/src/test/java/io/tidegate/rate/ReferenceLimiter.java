package io.tidegate.rate;

import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference for a limiter, on one thread and with unbounded numbers. Times are in units: a nanosecond has as many
 * units as a period has permits.
 */
final class ReferenceLimiter {
    private static final BigInteger ZERO = BigInteger.ZERO;

    private final long maxWait;
    private BigInteger permits;
    private BigInteger period;
    private BigInteger burst;
    private BigInteger arrival = ZERO;
    private BigInteger now = ZERO; // nanoseconds
    private final List<Admission> admissions = new ArrayList<>();
    long admitted;
    long refused;
    final List<Integer> line = new ArrayList<>();

    private record Admission(BigInteger at, BigInteger permits) {}

    ReferenceLimiter(long permits, Duration period, long burst, long maxWait) {
        this.permits = BigInteger.valueOf(permits);
        this.period = BigInteger.valueOf(period.toNanos());
        this.burst = BigInteger.valueOf(burst);
        this.maxWait = maxWait;
    }

    void move(long nanos) {
        now = now.add(BigInteger.valueOf(nanos));
    }

    private BigInteger units(BigInteger nanos) {
        return nanos.multiply(permits);
    }

    private static BigInteger divideUp(BigInteger value, BigInteger divisor) {
        return value.add(divisor).subtract(BigInteger.ONE).divide(divisor);
    }

    /** Returns how long until there would be so many permits. */
    BigInteger nanosUntilAlone(long wanted) {
        BigInteger from = arrival.max(units(now));
        BigInteger units = from.add(period.multiply(BigInteger.valueOf(wanted).subtract(burst)))
                .subtract(units(now));
        return units.signum() <= 0 ? ZERO : divideUp(units, permits);
    }

    BigInteger nanosUntil(long wanted) {
        return nanosUntilAlone(line.size() + wanted);
    }

    private void take(long wanted) {
        BigInteger count = BigInteger.valueOf(wanted);
        arrival = arrival.max(units(now)).add(period.multiply(count));
        admitted += wanted;
        admissions.add(new Admission(now, count));
    }

    boolean tryAcquire(long wanted) {
        if (nanosUntil(wanted).signum() > 0) {
            refused++;
            return false;
        }
        take(wanted);
        return true;
    }

    /**
     * Returns zero if the submission starts; a positive number if it waits; if it is refused, by how much the wait
     * would be too long, negated.
     */
    BigInteger submit(int number) {
        BigInteger wait = nanosUntil(1);
        BigInteger left = BigInteger.valueOf(maxWait).subtract(wait);
        if (left.signum() < 0) {
            refused++;
            return left;
        }
        if (wait.signum() == 0 && line.isEmpty()) {
            take(1);
            return ZERO;
        }
        line.add(number);
        return BigInteger.ONE;
    }

    /** Starts the submissions that are due. */
    List<Integer> look() {
        List<Integer> started = new ArrayList<>();
        while (!line.isEmpty() && nanosUntilAlone(1).signum() == 0) {
            take(1);
            started.add(line.remove(0));
        }
        return started;
    }

    /** @param burst the new one */
    void setRate(long newPermits, Duration newPeriod, long newBurst) {
        BigInteger depth = period.multiply(burst);
        BigInteger lacking = arrival.subtract(units(now)).max(ZERO);
        BigInteger tooMany = lacking.subtract(depth).max(ZERO);
        BigInteger back = divideUp(tooMany, permits);
        lacking = lacking.min(depth);
        permits = BigInteger.valueOf(newPermits);
        period = BigInteger.valueOf(newPeriod.toNanos());
        burst = BigInteger.valueOf(newBurst);
        // rounded up to a unit of the new rate
        BigInteger common = permits.gcd(period);
        BigInteger anew = divideUp(lacking.multiply(period.multiply(burst)), depth.multiply(common))
                .multiply(common);
        arrival = units(now.add(back)).add(anew);
        admissions.clear();
    }

    /**
     * RL-1, from the admissions alone: returns which span has too many, or null. Only for times that do not go back.
     */
    String tooManyInSpan() {
        for (int first = 0; first < admissions.size(); first++) {
            BigInteger taken = ZERO;
            for (int last = first; last < admissions.size(); last++) {
                taken = taken.add(admissions.get(last).permits);
                BigInteger span = admissions.get(last).at.subtract(admissions.get(first).at);
                BigInteger most = burst.add(span.multiply(permits).divide(period));
                if (taken.compareTo(most) > 0) {
                    return taken + " in " + span + " ns (expected: at most " + most + ")";
                }
            }
        }
        return null;
    }

    boolean isFull() {
        return arrival.compareTo(units(now)) <= 0;
    }

    long burst() {
        return burst.longValue();
    }

    BigInteger nanosOfPermit() {
        return period.divide(permits);
    }
}
