package io.tidegate.spring;

import static java.util.Objects.requireNonNull;

import io.tidegate.Backoff;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.rate.RateLimiter;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import io.tidegate.spring.TidegateProperties.Adaptive;
import io.tidegate.spring.TidegateProperties.Breaker;
import io.tidegate.spring.TidegateProperties.Bulkhead;
import io.tidegate.spring.TidegateProperties.GuardSettings;
import io.tidegate.spring.TidegateProperties.Inbound;
import io.tidegate.spring.TidegateProperties.RateLimit;
import io.tidegate.spring.TidegateProperties.RetrySettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.core.env.Environment;

/** Makes guards from settings, in the standard order, and changes what can be changed while they are in use. */
final class Guards {
    /*
     * The parts themselves check their settings: each value is given to a builder, and the builder's message is passed
     * on with the name of the property. New settings are tried out in the same way on guards that are not used, so that
     * either all of them are good, or none of them is taken.
     */
    private static final Log LOG = LogFactory.getLog(Guards.class);

    private static final Pattern PLAIN_NAME = Pattern.compile("[a-zA-Z0-9_-]+");
    private static final double OPEN_FACTOR = 2;

    private final Environment environment;
    private final Map<String, Made> made = new ConcurrentHashMap<>();
    private final Map<String, Optional<Object>> atNextStart = new HashMap<>();

    /* The settings that have an effect now. */
    private volatile TidegateProperties settings;
    private volatile @Nullable AsyncBulkhead inbound;

    /** @param read the settings that were read at the start; a native image has none and reads them itself */
    @Autowired
    Guards(Environment environment, ObjectProvider<TidegateProperties> read) {
        this(environment, read.getIfAvailable(() -> SettingsBinder.read(environment)));
    }

    private Guards(Environment environment, TidegateProperties settings) {
        this.environment = environment;
        this.settings = settings;
    }

    static Guards of(Environment environment) {
        return new Guards(environment, SettingsBinder.read(environment));
    }

    /** A guard, and those of its parts that can be changed. */
    private record Made(
            Guard guard,
            Limits limits,
            @Nullable RateLimiter rate,
            @Nullable AsyncBulkhead bulkhead) {}

    /** The time limits of a guard. */
    private static final class Limits {
        volatile @Nullable Duration total;
        volatile @Nullable Duration attempt;

        Limits(@Nullable Duration total, @Nullable Duration attempt) {
            this.total = total;
            this.attempt = attempt;
        }

        /* Each of these methods returns the value before. Only one thread at a time changes a limit. */

        @Nullable
        Duration setTotal(Duration limit) {
            Duration before = total;
            total = limit;
            return before;
        }

        @Nullable
        Duration setAttempt(Duration limit) {
            Duration before = attempt;
            attempt = limit;
            return before;
        }
    }

    TidegateProperties settings() {
        return settings;
    }

    /** Makes a guard that is in the settings. */
    synchronized Guard guard(String name) {
        GuardSettings own = requireNonNull(settings.guards().get(name), name);
        Made guard = make(name, own);
        made.put(name, guard);
        return guard.guard();
    }

    /** Makes the limit on requests. */
    synchronized AsyncBulkhead inbound(Bulkhead limit) {
        AsyncBulkhead bulkhead = bulkhead("tidegate.inbound", InboundLimit.NAME, limit);
        inbound = bulkhead;
        return bulkhead;
    }

    // Layers

    static String prefix(String guard) {
        return SettingsBinder.PREFIX + ".guards"
                + (PLAIN_NAME.matcher(guard).matches() ? "." + guard : "[" + guard + "]");
    }

    private Made make(String name, GuardSettings own) {
        String at = prefix(name);
        Guard.Builder guard = Guard.builder(name);
        Limits limits = new Limits(own.timeLimit(), own.attemptTimeLimit());
        if (own.timeLimit() != null) {
            take(at + ".time-limit", own.timeLimit(), () -> guard.liveTimeLimit(() -> orNone(limits.total)));
        }
        if (own.retry() != null) {
            guard.retry(retry(at + ".retry", own.retry()));
        }
        RateLimiter rate = own.rateLimit() == null ? null : rate(at + ".rate-limit", name, own.rateLimit());
        if (rate != null) {
            guard.rateLimit(rate);
        }
        if (own.breaker() != null) {
            guard.breaker(breaker(at + ".breaker", name, own.breaker()));
        }
        AsyncBulkhead bulkhead = own.bulkhead() == null ? null : bulkhead(at + ".bulkhead", name, own.bulkhead());
        if (bulkhead != null) {
            guard.bulkhead(bulkhead);
        }
        if (own.attemptTimeLimit() != null) {
            take(
                    at + ".attempt-time-limit",
                    own.attemptTimeLimit(),
                    () -> guard.liveTimeLimit(() -> orNone(limits.attempt)));
        }
        return new Made(guard.build(), limits, rate, bulkhead);
    }

    /* Returns null for a limit that is not positive: a guard then keeps its last one. */
    private static Duration orNone(@Nullable Duration limit) {
        return limit == null ? Duration.ZERO : limit;
    }

    private Retry retry(String at, RetrySettings own) {
        Retry.Builder retry = Retry.builder();
        take(at + ".max-attempts", own.maxAttempts(), () -> retry.maxAttempts(own.maxAttempts()));
        take(at + ".first-delay", own.firstDelay(), () -> Backoff.exponential(own.firstDelay(), own.firstDelay()));
        take(
                at + ".max-delay",
                own.maxDelay(),
                () -> retry.backoff(Backoff.exponential(own.firstDelay(), own.maxDelay())));
        take(
                at + ".budget",
                own.budget(),
                () -> retry.budget(RetryBudget.of(own.budget(), Guard.STANDARD_RETRIES_PER_SECOND)));
        return retry.build();
    }

    private RateLimiter rate(String at, String name, RateLimit own) {
        if (own.permits() == null) {
            throw new BadPropertyException(at + ".permits", null, "how many are admitted in a period, >= 1");
        }
        long permits = own.permits();
        take(at + ".permits", permits, () -> RateLimiter.builder(permits, Duration.ofSeconds(1)));
        RateLimiter.Builder rate = take(at + ".period", own.period(), () -> RateLimiter.builder(permits, own.period()));
        rate.name(name);
        take(at + ".max-wait", own.maxWait(), () -> rate.maxWait(own.maxWait()));
        return take(at + ".period", own.period(), rate::build);
    }

    private CircuitBreaker breaker(String at, String name, Breaker own) {
        CircuitBreaker.Builder breaker = CircuitBreaker.builder(name);
        take(
                at + ".failure-rate",
                own.failureRate(),
                () -> CircuitBreaker.builder(name).failureRate(own.failureRate(), 1));
        take(
                at + ".minimum-calls",
                own.minimumCalls(),
                () -> breaker.failureRate(own.failureRate(), own.minimumCalls()));
        take(at + ".window", own.window(), () -> breaker.slidingWindow(own.window()));
        take(at + ".open-for", own.openFor(), () -> breaker.timeout(own.openFor()));
        Duration standard = Duration.ofSeconds(Guard.STANDARD_MAX_OPEN_SECONDS);
        Duration longest = own.openFor().compareTo(standard) > 0 ? own.openFor() : standard;
        return take(
                at + ".open-for",
                own.openFor(),
                () -> breaker.openBackoff(OPEN_FACTOR, longest).build());
    }

    private AsyncBulkhead bulkhead(String at, String name, Bulkhead own) {
        Adaptive adaptive = own.adaptive();
        if (adaptive == null) {
            requireAbsent(at + ".min", own.min(), "not without adaptive");
            requireAbsent(at + ".max", own.max(), "not without adaptive");
            int limit = own.maxInFlight() == null ? Guard.STANDARD_MAX_IN_FLIGHT : own.maxInFlight();
            return take(at + ".max-in-flight", limit, () -> AsyncBulkhead.builder(limit))
                    .name(name)
                    .build();
        }
        requireAbsent(at + ".max-in-flight", own.maxInFlight(), "not beside adaptive, which has min and max");
        int min = own.min() == null ? AdaptiveLimit.DEFAULT_MIN : own.min();
        int max = own.max() == null ? Math.max(min, AdaptiveLimit.DEFAULT_MAX) : own.max();
        AdaptiveLimit.Builder builder = adaptive == Adaptive.AIMD ? AdaptiveLimit.aimd() : AdaptiveLimit.gradient();
        take(at + ".min", min, () -> builder.min(min));
        take(at + ".max", max, () -> builder.max(max));
        if (max < min) {
            throw bad(at + ".max", max, ">= min, which is " + min);
        }
        return builder.name(name).build();
    }

    private void requireAbsent(String property, @Nullable Object value, String expected) {
        if (value != null) {
            throw bad(property, value, expected);
        }
    }

    /** Gives a value to a part; passes its refusal on with the name of the property. */
    private <T> T take(String property, Object value, Supplier<T> part) {
        try {
            return part.get();
        } catch (IllegalArgumentException misuse) {
            throw bad(property, value, BadPropertyException.expectedIn(misuse));
        }
    }

    /** Shows the value as it was written in the environment, if it was. */
    private BadPropertyException bad(String property, Object value, String expected) {
        return new BadPropertyException(property, environment.getProperty(property, value.toString()), expected);
    }

    // Live changes

    /** Takes the environment's present settings, or none of them if one is bad. */
    synchronized void refresh() {
        TidegateProperties next;
        try {
            next = SettingsBinder.read(environment);
            next.guards().forEach(this::make);
            if (next.inbound() != null) {
                bulkhead("tidegate.inbound", InboundLimit.NAME, next.inbound().limit());
            }
        } catch (BadPropertyException bad) {
            LOG.warn("Settings stay as they are: " + bad.getMessage());
            return;
        } catch (RuntimeException unreadable) {
            LOG.warn("Settings stay as they are", unreadable);
            return;
        }
        Map<String, GuardSettings> guards = new LinkedHashMap<>();
        settings.guards().forEach((name, before) -> {
            GuardSettings after = next.guards().get(name);
            Made guard = made.get(name);
            if (after == null || guard == null) {
                guards.put(name, after == null ? requireNonNull(stays(prefix(name), before, null)) : after);
            } else {
                guards.put(name, changed(prefix(name), guard, before, after));
            }
        });
        next.guards().forEach((name, added) -> {
            if (!guards.containsKey(name)) {
                stays(prefix(name), null, added);
            }
        });
        settings = new TidegateProperties(
                guards,
                changed(settings.inbound(), next.inbound()),
                requireNonNull(stays("tidegate.health", settings.health(), next.health())),
                requireNonNull(stays("tidegate.console", settings.console(), next.console())));
    }

    /* These methods return the settings that have an effect now: the next change is compared with them. */

    private GuardSettings changed(String at, Made guard, GuardSettings before, GuardSettings after) {
        Limits limits = guard.limits();
        return new GuardSettings(
                changed(at + ".time-limit", before.timeLimit(), after.timeLimit(), limits::setTotal),
                stays(at + ".retry", before.retry(), after.retry()),
                changed(at + ".rate-limit", guard.rate(), before.rateLimit(), after.rateLimit()),
                stays(at + ".breaker", before.breaker(), after.breaker()),
                changed(at + ".bulkhead", guard.bulkhead(), before.bulkhead(), after.bulkhead()),
                changed(
                        at + ".attempt-time-limit",
                        before.attemptTimeLimit(),
                        after.attemptTimeLimit(),
                        limits::setAttempt));
    }

    private @Nullable Duration changed(
            String property,
            @Nullable Duration before,
            @Nullable Duration after,
            Function<Duration, @Nullable Duration> limit) {
        if (before == null || after == null || before.equals(after)) {
            return stays(property, before, after);
        }
        logChange(property, limit.apply(after), after);
        return after;
    }

    private @Nullable RateLimit changed(
            String at, @Nullable RateLimiter rate, @Nullable RateLimit before, @Nullable RateLimit after) {
        if (rate == null || before == null || after == null || after.permits() == null) {
            return stays(at, before, after);
        }
        RateLimit changed = new RateLimit(
                after.permits(),
                after.period(),
                requireNonNull(stays(at + ".max-wait", before.maxWait(), after.maxWait())));
        if (!changed.equals(before)) {
            rate.setRate(after.permits(), after.period());
            logChange(at, before.permits() + " in " + before.period(), after.permits() + " in " + after.period());
        }
        return changed;
    }

    private @Nullable Bulkhead changed(
            String at, @Nullable AsyncBulkhead bulkhead, @Nullable Bulkhead before, @Nullable Bulkhead after) {
        if (bulkhead == null
                || before == null
                || after == null
                || before.adaptive() != null
                || after.adaptive() != null
                || before.equals(after)) {
            return stays(at, before, after);
        }
        int limit = after.maxInFlight() == null ? Guard.STANDARD_MAX_IN_FLIGHT : after.maxInFlight();
        logChange(at + ".max-in-flight", bulkhead.maxInFlight(), limit);
        bulkhead.setMaxInFlight(limit);
        return after;
    }

    private @Nullable Inbound changed(@Nullable Inbound before, @Nullable Inbound after) {
        if (before == null || after == null) {
            return stays("tidegate.inbound", before, after);
        }
        Bulkhead limit = requireNonNull(changed("tidegate.inbound", inbound, before.limit(), after.limit()));
        return new Inbound(
                limit.maxInFlight(),
                limit.adaptive(),
                limit.min(),
                limit.max(),
                requireNonNull(stays("tidegate.inbound.paths", before.paths(), after.paths())));
    }

    /** Leaves a setting as it is; logs that once for each value that it should get. */
    private <T> @Nullable T stays(String property, @Nullable T before, @Nullable T after) {
        if (Objects.equals(before, after)) {
            atNextStart.remove(property);
        } else if (!Optional.ofNullable(after).equals(atNextStart.put(property, Optional.ofNullable(after)))) {
            LOG.warn(property + ": has changed, which has no effect before the next start");
        }
        return before;
    }

    private static void logChange(String property, @Nullable Object before, Object after) {
        LOG.info(property + ": " + after + " instead of " + before);
    }

    /**
     * Changes the time limits of a guard of the configuration. A limit that is null stays.
     *
     * @throws IllegalArgumentException if there is no such limit to change, or the new one is not positive; nothing
     *     changes
     */
    synchronized void setTimeLimits(String name, @Nullable Duration total, @Nullable Duration attempt) {
        Made guard = made.get(name);
        if (guard == null) {
            throw new IllegalArgumentException("name: '" + name + "' (expected: a guard of the configuration)");
        }
        requireLimit("timeLimit", guard.limits().total, total);
        requireLimit("attemptTimeLimit", guard.limits().attempt, attempt);
        if (total != null) {
            logChange(prefix(name) + ".time-limit", guard.limits().setTotal(total), total);
        }
        if (attempt != null) {
            logChange(prefix(name) + ".attempt-time-limit", guard.limits().setAttempt(attempt), attempt);
        }
    }

    private static void requireLimit(String name, @Nullable Duration before, @Nullable Duration after) {
        if (after == null) {
            return;
        }
        if (before == null) {
            throw new IllegalArgumentException(
                    name + ": " + after + " (expected: a guard that has one from its start)");
        }
        if (after.compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException(name + ": " + after + " (expected: positive)");
        }
    }
}
