package io.tidegate.lab.play;

import io.tidegate.Backoff;
import io.tidegate.Part;
import io.tidegate.Registry;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.guard.Guard;
import io.tidegate.rate.RateLimiter;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A guard whose layers are switched on and off while calls go through it. Each switch makes a new guard of the parts
 * that are on. A call ends in the guard in which it began. A part exists while its switch is on.
 */
final class SwitchedGuard implements AutoCloseable {
    static final String NAME = "shop";
    static final Duration ATTEMPT_LIMIT = Duration.ofMillis(300);

    private static final int ATTEMPTS = 3;
    private static final int RATE = 40;
    private static final int BURST = 10;

    private final Registry registry;
    private final Map<Protection, Part> parts = new EnumMap<>(Protection.class);
    private final Set<Protection> on = EnumSet.noneOf(Protection.class);
    private volatile Guard guard;

    SwitchedGuard(Registry registry) {
        this.registry = registry;
        this.guard = registry.add(Guard.builder(NAME).build());
    }

    CompletionStage<Integer> submit(Supplier<CompletionStage<Integer>> call) {
        return guard.submit(call);
    }

    /** Returns the protections that are on. */
    synchronized Set<Protection> on() {
        return Set.copyOf(on);
    }

    /**
     * Switches on the protections in the set, and all others off.
     *
     * @param capacity the limit of a bulkhead that is new
     */
    synchronized void set(Set<Protection> wanted, int capacity) {
        if (wanted.equals(on)) {
            return;
        }
        on.clear();
        on.addAll(wanted);
        for (Protection protection : Protection.values()) {
            if (!on.contains(protection)) {
                Part gone = parts.remove(protection);
                if (gone != null) {
                    registry.remove(gone);
                }
            }
        }
        registry.remove(guard);
        guard = registry.add(build(capacity));
    }

    /* Permits last as long as the operation, because a caller that gives up does not stop the work. */
    private Guard build(int capacity) {
        Guard.Builder layers = Guard.builder(NAME);
        if (on.contains(Protection.RETRY)) {
            layers.retry(retry());
        }
        if (on.contains(Protection.RATE_LIMIT)) {
            layers.rateLimit(part(
                    Protection.RATE_LIMIT,
                    () -> RateLimiter.builder(RATE, Duration.ofSeconds(1))
                            .name(NAME)
                            .burst(BURST)
                            .build()));
        }
        if (on.contains(Protection.BREAKER)) {
            layers.breaker(part(Protection.BREAKER, SwitchedGuard::breaker));
        }
        if (on.contains(Protection.ADAPTIVE)) {
            layers.bulkhead(part(
                    Protection.ADAPTIVE,
                    () -> AdaptiveLimit.gradient()
                            .name(NAME + "-adaptive")
                            .initial(ShopSlider.CAPACITY.usual())
                            .permitLifetime(PermitLifetime.OPERATION)
                            .build()));
        }
        if (on.contains(Protection.BULKHEAD)) {
            layers.bulkhead(part(
                    Protection.BULKHEAD,
                    () -> AsyncBulkhead.builder(capacity)
                            .name(NAME)
                            .permitLifetime(PermitLifetime.OPERATION)
                            .build()));
        }
        if (on.contains(Protection.TIME_LIMIT)) {
            layers.timeLimit(ATTEMPT_LIMIT);
        }
        return layers.build();
    }

    @Override
    public synchronized void close() {
        registry.remove(guard);
        parts.values().forEach(registry::remove);
    }

    private <P extends Part> P part(Protection protection, Supplier<P> make) {
        @SuppressWarnings("unchecked") // each protection has parts of one type
        P there = (P) parts.computeIfAbsent(protection, unused -> registry.add(make.get()));
        return there;
    }

    private Retry retry() {
        Retry.Builder retry = Retry.builder()
                .maxAttempts(ATTEMPTS)
                .backoff(Backoff.exponential(Duration.ofMillis(50), Duration.ofMillis(200)));
        return on.contains(Protection.BUDGET)
                ? retry.budget(RetryBudget.of(Guard.STANDARD_RETRY_RATIO, 2)).build()
                : retry.build();
    }

    private static CircuitBreaker breaker() {
        return CircuitBreaker.builder(NAME)
                .failureRate(Guard.STANDARD_FAILURE_RATE, 10)
                .slidingWindow(Duration.ofSeconds(2))
                .timeout(Duration.ofSeconds(1))
                .openBackoff(2, Duration.ofSeconds(4))
                .build();
    }
}
