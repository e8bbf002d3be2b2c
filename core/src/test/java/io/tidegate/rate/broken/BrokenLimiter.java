package io.tidegate.rate.broken;

import io.tidegate.rate.RateLimiter;
import io.tidegate.rate.RateLimiterStats;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A plain limiter with one fault each that hand-written limiters have. In a gap between two steps the thread yields.
 */
public enum BrokenLimiter implements LimiterFactory {
    /** A step is a whole number of nanoseconds: too short, so that the rate is too high over long times. */
    ROUNDED_STEP,

    /** Each period has a count of its own, so twice as many permits are possible around the end of a period. */
    FIXED_WINDOW,

    /** Time that goes back counts as time that has passed. */
    REFILLED_BY_STEP_BACK,

    /** The permit of a submission that gives up stays taken. */
    GIVEN_UP_PLACE_IS_KEPT,

    /** A try takes the permit of a waiting submission. */
    OVERTAKEN_WAITER,

    /** The submission that has waited longest is admitted last. */
    LAST_COME_FIRST_SERVED,

    /** The time is compared in one step and moved in another. */
    CHECK_THEN_ACT;

    @Override
    public RateLimiter create(
            long permits,
            Duration period,
            long burst,
            Duration maxWait,
            LongSupplier ticker,
            @Nullable ScheduledExecutorService scheduler) {
        return new Plain(this, permits, period, burst, maxWait, ticker, scheduler);
    }

    /* Times are in units of a nanosecond divided by the permits of a period. */
    private static final class Plain implements RateLimiter {
        private final BrokenLimiter fault;
        private final long permits;
        private final long period;
        private final long burst;
        private final long maxWait;
        private final LongSupplier ticker;
        private final @Nullable ScheduledExecutorService scheduler;
        private final Deque<Runnable> line = new ArrayDeque<>();
        private final long origin;
        private volatile BigInteger arrival = BigInteger.ZERO;
        private long lastSeen;
        private long window;
        private long inWindow;
        private long admitted;
        private long refused;
        private int kept;

        Plain(
                BrokenLimiter fault,
                long permits,
                Duration period,
                long burst,
                Duration maxWait,
                LongSupplier ticker,
                @Nullable ScheduledExecutorService scheduler) {
            this.fault = fault;
            this.permits = permits;
            this.period = period.toNanos();
            this.burst = burst == 0 ? permits : burst;
            this.maxWait = maxWait.toNanos();
            this.ticker = ticker;
            this.scheduler = scheduler;
            this.origin = ticker.getAsLong();
        }

        private BigInteger step() {
            long nanos = period / permits;
            return fault == ROUNDED_STEP
                    ? BigInteger.valueOf(nanos).multiply(BigInteger.valueOf(permits))
                    : BigInteger.valueOf(period);
        }

        private BigInteger now() {
            long passed = ticker.getAsLong() - origin;
            if (fault == REFILLED_BY_STEP_BACK && passed < lastSeen) {
                arrival = BigInteger.ZERO;
            }
            lastSeen = passed;
            return BigInteger.valueOf(passed).multiply(BigInteger.valueOf(permits));
        }

        private long nanosUntilMore(long more) {
            BigInteger units =
                    arrival.max(now()).subtract(now()).add(step().multiply(BigInteger.valueOf(more - burst)));
            return units.signum() <= 0
                    ? 0
                    : units.subtract(BigInteger.ONE)
                                    .divide(BigInteger.valueOf(permits))
                                    .longValue()
                            + 1;
        }

        @Override
        public boolean tryAcquire() {
            return tryAcquire(1);
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // to be found sooner, not to put anything in order
        public boolean tryAcquire(long wanted) {
            if (fault == CHECK_THEN_ACT) {
                if (nanosUntil(wanted) > 0) {
                    return false;
                }
                Thread.yield();
                take(wanted);
                return true;
            }
            if (nanosUntil(wanted) > 0) {
                refused++;
                return false;
            }
            take(wanted);
            return true;
        }

        private synchronized void take(long wanted) {
            arrival = arrival.max(now()).add(step().multiply(BigInteger.valueOf(wanted)));
            inWindow += wanted;
            admitted += wanted;
        }

        @Override
        public synchronized long nanosUntil(long wanted) {
            if (fault == FIXED_WINDOW) {
                long passed = ticker.getAsLong() - origin;
                if (Math.floorDiv(passed, period) != window) {
                    window = Math.floorDiv(passed, period);
                    inWindow = 0;
                }
                return inWindow + wanted <= burst ? 0 : period - Math.floorMod(passed, period);
            }
            return nanosUntilMore(wanted + (fault == OVERTAKEN_WAITER ? 0 : line.size() + kept));
        }

        @Override
        public <T> CompletionStage<T> submit(Supplier<? extends CompletionStage<T>> operation) {
            long wait = nanosUntilMore(line.size() + kept + 1);
            if (wait > maxWait) {
                refused++;
                return CompletableFuture.failedFuture(new IllegalStateException("too early"));
            }
            CompletableFuture<T> returned = new CompletableFuture<>();
            if (wait == 0 && line.isEmpty()) {
                take(1);
                return operation.get();
            }
            Runnable start = () -> operation.get().whenComplete((value, error) -> returned.complete(value));
            line.add(start);
            returned.whenComplete((value, error) -> {
                if (line.remove(start) && fault == GIVEN_UP_PLACE_IS_KEPT) {
                    kept++;
                }
            });
            scheduler.schedule(this::look, nanosUntilMore(1), TimeUnit.NANOSECONDS);
            return returned;
        }

        private void look() {
            while (!line.isEmpty() && nanosUntilMore(1) == 0) {
                Runnable next = fault == LAST_COME_FIRST_SERVED ? line.removeLast() : line.removeFirst();
                take(1);
                next.run();
            }
            if (!line.isEmpty()) {
                scheduler.schedule(this::look, nanosUntilMore(1), TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public void setRate(long permits, Duration period) {
            throw new UnsupportedOperationException("not needed to show the fault");
        }

        @Override
        public String name() {
            return fault.name();
        }

        @Override
        public RateLimiterStats stats() {
            return new RateLimiterStats(admitted, refused, line.size());
        }
    }
}
