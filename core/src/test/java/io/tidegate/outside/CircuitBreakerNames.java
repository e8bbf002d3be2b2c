package io.tidegate.outside;

import io.tidegate.breaker.BreakerMetrics;
import io.tidegate.breaker.CallNotPermittedException;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.CircuitOpenException;
import io.tidegate.breaker.Counts;
import io.tidegate.breaker.Diagnostics;
import io.tidegate.breaker.SettingsUpdate;
import io.tidegate.breaker.State;
import io.tidegate.breaker.StateChangeListener;
import io.tidegate.breaker.TooManyRequestsException;
import io.tidegate.breaker.Transition;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A program that uses the circuit breaker. */
abstract class CircuitBreakerNames {
    private static final Duration TEN = Duration.ofSeconds(10);

    List<CircuitBreaker> make() {
        Predicate<Counts> rule = counts -> counts.totalFailures() > 3;
        Predicate<Object> anything = thrown -> false;
        StateChangeListener listener = (String name, State from, State to) -> {};
        LongSupplier ticker = System::nanoTime;
        CircuitBreaker.Builder builder = CircuitBreaker.builder("a")
                .maxRequests(1)
                .successesToClose(2)
                .interval(Duration.ZERO)
                .timeout(TEN)
                .probeTimeout(TEN)
                .readyToTrip(rule)
                .failureRate(0.5, 20)
                .slidingWindow(100)
                .slowCalls(TEN, 0.5)
                .openBackoff(2, TEN)
                .isSuccessful(anything)
                .isSuccessful((Throwable thrown) -> thrown instanceof IOException)
                .ignore(anything)
                .ignore((Throwable thrown) -> thrown instanceof IOException)
                .failsOn(anything)
                .failsOn((Throwable thrown) -> thrown instanceof IOException)
                .failsOnResult(anything)
                .onStateChange(listener)
                .onTransition((Transition transition) -> {})
                .ticker(ticker);
        return List.of(
                CircuitBreaker.of("b"),
                builder.build(),
                CircuitBreaker.builder("c").slidingWindow(TEN).build());
    }

    Number call(CircuitBreaker breaker, Callable<Integer> call) throws Exception {
        return breaker.<Number>execute(call);
    }

    CompletionStage<Number> submit(CircuitBreaker breaker, Supplier<CompletableFuture<Number>> operation) {
        return breaker.executeAsync(operation);
    }

    void byHand(CircuitBreaker breaker, Throwable error) {
        long stamp = breaker.tryAcquire();
        breaker.onSuccess(stamp);
        breaker.onFailure(stamp, error);
        breaker.onIgnored(stamp);
    }

    void control(CircuitBreaker breaker) {
        Consumer<SettingsUpdate> change = update -> {
            SettingsUpdate same = update.timeout(TEN)
                    .interval(TEN)
                    .maxRequests(2)
                    .successesToClose(2)
                    .probeTimeout(TEN);
            same.failureRate(0.5, 20);
        };
        breaker.update(change);
        breaker.forceOpen();
        breaker.disable();
        breaker.reset();
    }

    List<Object> look(CircuitBreaker breaker) {
        String name = breaker.name();
        State state = breaker.state();
        Counts counts = new Counts(5, 3, 2, 0, 2);
        counts = breaker.counts();
        long requests = counts.requests();
        long totalSuccesses = counts.totalSuccesses();
        long totalFailures = counts.totalFailures();
        long consecutiveSuccesses = counts.consecutiveSuccesses();
        long consecutiveFailures = counts.consecutiveFailures();
        BreakerMetrics metrics = breaker.metrics();
        State seen = metrics.state();
        long generation = metrics.generation();
        Counts same = metrics.counts();
        double failureRate = metrics.failureRate();
        double slowCallRate = metrics.slowCallRate();
        long refused = metrics.refused();
        long late = metrics.late();
        long ignored = metrics.ignored();
        long misused = metrics.misused();
        Diagnostics diagnostics = breaker.diagnostics();
        State diagnosed = diagnostics.state();
        boolean oneMoreFailureTrips = diagnostics.oneMoreFailureTrips();
        Duration timeUntilHalfOpen = diagnostics.timeUntilHalfOpen();
        int probesInFlight = diagnostics.probesInFlight();
        Duration timeout = diagnostics.timeout();
        Duration interval = diagnostics.interval();
        int maxRequests = diagnostics.maxRequests();
        int successesToClose = diagnostics.successesToClose();
        Diagnostics made = new Diagnostics(
                diagnosed,
                oneMoreFailureTrips,
                timeUntilHalfOpen,
                probesInFlight,
                timeout,
                interval,
                maxRequests,
                successesToClose);
        long sum = requests + totalSuccesses + totalFailures + consecutiveSuccesses + consecutiveFailures + generation;
        return List.of(
                name, state, seen, same, failureRate, slowCallRate, refused + late + ignored + misused, made, sum);
    }

    long refused(CallNotPermittedException refusal) {
        RuntimeException thrown = refusal;
        String breakerName = refusal.breakerName();
        State state = refusal.state();
        Duration retryAfter = refusal.retryAfter();
        boolean isOpen = refusal instanceof CircuitOpenException;
        boolean isBusy = refusal instanceof TooManyRequestsException;
        return thrown.hashCode()
                + breakerName.length()
                + state.ordinal()
                + retryAfter.toMillis()
                + (isOpen || isBusy ? 1 : 0);
    }

    int state(State state) {
        return switch (state) {
            case CLOSED -> 0;
            case OPEN -> 1;
            case HALF_OPEN -> 2;
            case FORCED_OPEN -> 3;
            case DISABLED -> 4;
        };
    }

    List<Object> told(Transition change) {
        State from = change.from();
        State to = change.to();
        long generation = change.generation();
        Counts counts = change.counts();
        double failureRate = change.failureRate();
        double slowCallRate = change.slowCallRate();
        Transition.Cause cause = change.cause();
        return List.of(from, to, generation, counts, failureRate, slowCallRate, cause);
    }

    int cause(Transition.Cause cause) {
        return switch (cause) {
            case RULE -> 0;
            case PROBE_FAILED -> 1;
            case PROBES_SUCCEEDED -> 2;
            case TIMEOUT -> 3;
            case FORCED -> 4;
            case RESET -> 5;
        };
    }
}
