package io.tidegate.breaker;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

final class BreakerBuilder implements CircuitBreaker.Builder {
    private final String name;
    private int maxRequests = CircuitBreaker.DEFAULT_MAX_REQUESTS;
    private int successesToClose;
    private long interval;
    private long timeout =
            Duration.ofSeconds(CircuitBreaker.DEFAULT_TIMEOUT_SECONDS).toNanos();
    private long probeTimeout;
    private @Nullable Predicate<Counts> readyToTrip;
    private double rateThreshold;
    private int minimumObservations = 1;
    private int windowCalls;
    private long windowSpan;
    private long slowerThan = Long.MAX_VALUE;
    private double slowRate = 1;
    private double backoffFactor = 1;
    private long longestOpen = Long.MAX_VALUE;
    private @Nullable Predicate<? super Throwable> isSuccessful;
    private @Nullable Predicate<? super Throwable> failsOn;
    private @Nullable Predicate<@Nullable Object> failsOnResult;
    private @Nullable Predicate<? super Throwable> ignore;
    private final List<StateChangeListener> stateListeners = new ArrayList<>();
    private final List<Consumer<Transition>> transitionListeners = new ArrayList<>();
    private LongSupplier ticker = System::nanoTime;

    BreakerBuilder(String name) {
        LiveSettings.check(!requireNonNull(name, "name").isBlank(), "name", "'" + name + "'", "not blank");
        this.name = name;
    }

    @Override
    public BreakerBuilder maxRequests(int probes) {
        maxRequests = LiveSettings.checkMaxRequests(probes);
        return this;
    }

    @Override
    public BreakerBuilder successesToClose(int successes) {
        successesToClose = LiveSettings.checkAtLeastOne("successesToClose", successes);
        return this;
    }

    @Override
    public BreakerBuilder interval(Duration interval) {
        this.interval = LiveSettings.checkNotNegative("interval", interval);
        return this;
    }

    @Override
    public BreakerBuilder timeout(Duration openFor) {
        timeout = LiveSettings.checkPositive("timeout", openFor);
        return this;
    }

    @Override
    public BreakerBuilder probeTimeout(Duration limit) {
        probeTimeout = LiveSettings.checkPositive("probeTimeout", limit);
        return this;
    }

    @Override
    public BreakerBuilder readyToTrip(Predicate<Counts> rule) {
        readyToTrip = either(readyToTrip, requireNonNull(rule, "rule"));
        return this;
    }

    /** Returns a rule that holds if one of the two rules holds; a rule that throws does not hold. */
    private static <T extends @Nullable Object> Predicate<T> either(
            @Nullable Predicate<? super T> before, Predicate<? super T> rule) {
        return before == null
                ? rule::test
                : value -> PeriodBreaker.holds(before, value) || PeriodBreaker.holds(rule, value);
    }

    @Override
    public BreakerBuilder failureRate(double threshold, int minimumObservations) {
        double rate = LiveSettings.checkRate("threshold", threshold);
        this.minimumObservations = LiveSettings.checkAtLeastOne("minimumObservations", minimumObservations);
        rateThreshold = rate;
        return this;
    }

    @Override
    public BreakerBuilder slidingWindow(int calls) {
        windowCalls = LiveSettings.checkAtLeastOne("slidingWindow", calls);
        windowSpan = 0;
        return this;
    }

    @Override
    public BreakerBuilder slidingWindow(Duration span) {
        windowSpan = LiveSettings.checkPositive("slidingWindow", span);
        windowCalls = 0;
        return this;
    }

    @Override
    public BreakerBuilder slowCalls(Duration slowerThan, double rate) {
        double checked = LiveSettings.checkRate("rate", rate);
        this.slowerThan = LiveSettings.checkPositive("slowerThan", slowerThan);
        slowRate = checked;
        return this;
    }

    @Override
    public BreakerBuilder openBackoff(double factor, Duration max) {
        LiveSettings.check(factor >= 1 && factor < Double.POSITIVE_INFINITY, "factor", factor, ">= 1");
        longestOpen = LiveSettings.checkPositive("max", max);
        backoffFactor = factor;
        return this;
    }

    @Override
    public BreakerBuilder isSuccessful(Predicate<? super Throwable> rule) {
        isSuccessful = requireNonNull(rule, "rule");
        return this;
    }

    @Override
    public BreakerBuilder failsOn(Predicate<? super Throwable> rule) {
        requireNonNull(rule, "rule");
        Predicate<? super Throwable> before = failsOn;
        // A rule that throws means failure, so the other rule need not be asked.
        failsOn = before == null ? rule : (Throwable error) -> before.test(error) || rule.test(error);
        return this;
    }

    @Override
    public BreakerBuilder failsOnResult(Predicate<@Nullable Object> rule) {
        failsOnResult = BreakerBuilder.<@Nullable Object>either(failsOnResult, requireNonNull(rule, "rule"));
        return this;
    }

    @Override
    public BreakerBuilder ignore(Predicate<? super Throwable> rule) {
        ignore = BreakerBuilder.<Throwable>either(ignore, requireNonNull(rule, "rule"));
        return this;
    }

    @Override
    public BreakerBuilder onStateChange(StateChangeListener listener) {
        stateListeners.add(requireNonNull(listener, "listener"));
        return this;
    }

    @Override
    public BreakerBuilder onTransition(Consumer<Transition> listener) {
        transitionListeners.add(requireNonNull(listener, "listener"));
        return this;
    }

    @Override
    public BreakerBuilder ticker(LongSupplier nanos) {
        ticker = requireNonNull(nanos, "nanos");
        return this;
    }

    @Override
    public CircuitBreaker build() {
        FixedSettings fixed = new FixedSettings(
                name,
                readyToTrip,
                readyToTrip == null && rateThreshold == 0,
                windowCalls,
                windowSpan,
                slowerThan,
                slowRate,
                backoffFactor,
                longestOpen,
                isSuccessful,
                failsOn,
                failsOnResult,
                ignore,
                List.copyOf(stateListeners),
                List.copyOf(transitionListeners),
                ticker);
        LiveSettings settings = new LiveSettings(
                maxRequests, successesToClose, interval, timeout, probeTimeout, rateThreshold, minimumObservations);
        fixed.check(settings);
        return new PeriodBreaker(fixed, settings);
    }
}
