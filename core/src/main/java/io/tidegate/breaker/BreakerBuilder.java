package io.tidegate.breaker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

final class BreakerBuilder implements CircuitBreaker.Builder {
    private final String name;
    private int maxRequests = CircuitBreaker.DEFAULT_MAX_REQUESTS;
    private int successesToClose;
    private Duration interval = Duration.ZERO;
    private long timeout =
            Duration.ofSeconds(CircuitBreaker.DEFAULT_TIMEOUT_SECONDS).toNanos();
    private long probeTimeout;
    private @Nullable Predicate<Counts> readyToTrip;
    private double rateThreshold = 1;
    private int minimumObservations = 1;
    private int windowCalls;
    private long windowSpan;
    private long slowerThan = Long.MAX_VALUE;
    private double slowRate = 1;
    private double backoffFactor = 1;
    private long longestOpen = Long.MAX_VALUE;
    private @Nullable Predicate<? super Throwable> isSuccessful;
    private @Nullable Predicate<? super Throwable> ignore;
    private @Nullable StateChangeListener listener;
    private LongSupplier ticker = System::nanoTime;

    BreakerBuilder(String name) {
        Settings.check(!requireNonNull(name, "name").isBlank(), "name", "'" + name + "'", "not blank");
        this.name = name;
    }

    @Override
    public BreakerBuilder maxRequests(int probes) {
        maxRequests = Settings.checkMaxRequests(probes);
        return this;
    }

    @Override
    public BreakerBuilder successesToClose(int successes) {
        successesToClose = Settings.checkAtLeastOne("successesToClose", successes);
        return this;
    }

    @Override
    public BreakerBuilder interval(Duration interval) {
        Settings.checkNotNegative("interval", interval);
        this.interval = interval;
        return this;
    }

    @Override
    public BreakerBuilder timeout(Duration openFor) {
        timeout = Settings.checkPositive("timeout", openFor);
        return this;
    }

    @Override
    public BreakerBuilder probeTimeout(Duration limit) {
        probeTimeout = Settings.checkPositive("probeTimeout", limit);
        return this;
    }

    @Override
    public BreakerBuilder readyToTrip(Predicate<Counts> rule) {
        requireNonNull(rule, "rule");
        Predicate<Counts> before = readyToTrip;
        readyToTrip = before == null
                ? rule
                : counts -> PeriodBreaker.holds(before, counts) || PeriodBreaker.holds(rule, counts);
        return this;
    }

    @Override
    public BreakerBuilder failureRate(double threshold, int minimumObservations) {
        double rate = Settings.checkRate("threshold", threshold);
        this.minimumObservations = Settings.checkAtLeastOne("minimumObservations", minimumObservations);
        rateThreshold = rate;
        return this;
    }

    @Override
    public BreakerBuilder slidingWindow(int calls) {
        windowCalls = Settings.checkAtLeastOne("slidingWindow", calls);
        windowSpan = 0;
        return this;
    }

    @Override
    public BreakerBuilder slidingWindow(Duration span) {
        windowSpan = Settings.checkPositive("slidingWindow", span);
        windowCalls = 0;
        return this;
    }

    @Override
    public BreakerBuilder slowCalls(Duration slowerThan, double rate) {
        slowRate = Settings.checkRate("rate", rate);
        this.slowerThan = Settings.checkPositive("slowerThan", slowerThan);
        return this;
    }

    @Override
    public BreakerBuilder openBackoff(double factor, Duration max) {
        Settings.check(factor >= 1 && factor < Double.POSITIVE_INFINITY, "factor", factor, ">= 1");
        longestOpen = Settings.checkPositive("max", max);
        backoffFactor = factor;
        return this;
    }

    @Override
    public BreakerBuilder isSuccessful(Predicate<? super Throwable> rule) {
        isSuccessful = requireNonNull(rule, "rule");
        return this;
    }

    @Override
    public BreakerBuilder ignore(Predicate<? super Throwable> rule) {
        ignore = requireNonNull(rule, "rule");
        return this;
    }

    @Override
    public BreakerBuilder onStateChange(StateChangeListener listener) {
        this.listener = requireNonNull(listener, "listener");
        return this;
    }

    @Override
    public BreakerBuilder ticker(LongSupplier nanos) {
        ticker = requireNonNull(nanos, "nanos");
        return this;
    }

    @Override
    public CircuitBreaker build() {
        boolean sliding = windowCalls > 0 || windowSpan > 0;
        Settings.check(!sliding || interval.isZero(), "interval", interval, "zero with a sliding window");
        boolean defaultRule = readyToTrip == null && rateThreshold == 1;
        return new PeriodBreaker(
                new Config(
                        name,
                        readyToTrip,
                        defaultRule,
                        windowCalls,
                        windowSpan,
                        slowerThan,
                        slowRate,
                        backoffFactor,
                        longestOpen,
                        isSuccessful,
                        ignore,
                        listener,
                        ticker),
                new Settings(
                        maxRequests,
                        successesToClose,
                        Settings.checkNotNegative("interval", interval),
                        timeout,
                        probeTimeout,
                        rateThreshold,
                        minimumObservations));
    }
}
