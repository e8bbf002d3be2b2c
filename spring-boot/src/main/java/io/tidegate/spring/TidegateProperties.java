package io.tidegate.spring;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What is under {@code tidegate} in the environment. A missing section is a missing layer.
 *
 * @param guards Guards, by name.
 * @param inbound The limit on requests that this service answers.
 * @param health What the health endpoint shows.
 * @param console The console.
 */
@ConfigurationProperties("tidegate")
record TidegateProperties(
        @DefaultValue Map<String, GuardSettings> guards,
        @Nullable Inbound inbound,
        @DefaultValue Health health,
        @DefaultValue Console console) {

    /**
     * The layers of a guard, outermost first.
     *
     * @param timeLimit How long a call may take, all attempts together.
     * @param retry When and how often a call is tried again.
     * @param rateLimit How many attempts are admitted in a period.
     * @param breaker When calls are not made for a while.
     * @param bulkhead How many attempts may be in flight at once.
     * @param attemptTimeLimit How long an attempt may take.
     */
    record GuardSettings(
            @Nullable Duration timeLimit,
            @Nullable RetrySettings retry,
            @Nullable RateLimit rateLimit,
            @Nullable Breaker breaker,
            @Nullable Bulkhead bulkhead,
            @Nullable Duration attemptTimeLimit) {}

    /**
     * Retries.
     *
     * @param maxAttempts The most attempts, the first included.
     * @param firstDelay The longest pause before the first retry; it doubles with each one.
     * @param maxDelay The longest pause before any retry.
     * @param budget How many retries each first attempt earns, besides ten retries a second.
     */
    record RetrySettings(
            @DefaultValue("3") int maxAttempts,
            @DefaultValue("100ms") Duration firstDelay,
            @DefaultValue("10s") Duration maxDelay,
            @DefaultValue("0.2") double budget) {}

    /**
     * A rate.
     *
     * @param permits How many attempts are admitted in each period.
     * @param period The period.
     * @param maxWait How long an attempt may wait for a permit.
     */
    record RateLimit(
            @Nullable Long permits,
            @DefaultValue("1s") Duration period,
            @DefaultValue("0s") Duration maxWait) {}

    /**
     * A breaker.
     *
     * @param failureRate The share of failures above which it opens.
     * @param minimumCalls How many calls it must have counted before it opens.
     * @param window The span of time over which it counts.
     * @param openFor How long it stays open at first; twice as long each time in a row, up to a minute.
     */
    record Breaker(
            @DefaultValue("0.5") double failureRate,
            @DefaultValue("20") int minimumCalls,
            @DefaultValue("30s") Duration window,
            @DefaultValue("5s") Duration openFor) {}

    /**
     * A limit on what is in flight, fixed or adaptive.
     *
     * @param adaptive Lets the limit follow what the callee can carry.
     * @param min The least adaptive limit; 1 unless set.
     * @param max The greatest adaptive limit; 1000 unless set.
     * @param maxInFlight The fixed limit; 256 unless it is set or the limit is adaptive.
     */
    record Bulkhead(
            @Nullable Integer maxInFlight,
            @Nullable Adaptive adaptive,
            @Nullable Integer min,
            @Nullable Integer max) {}

    /** How a limit moves. */
    enum Adaptive {
        /** Falls when calls take longer than they do without a queue. */
        GRADIENT,

        /** Falls when calls report overload. */
        AIMD
    }

    /**
     * A limit on requests that are being answered.
     *
     * @param adaptive Lets the limit follow what this service can carry.
     * @param min The least adaptive limit; 1 unless set.
     * @param max The greatest adaptive limit; 1000 unless set.
     * @param maxInFlight The fixed limit; 256 unless it is set or the limit is adaptive.
     * @param paths Patterns of the paths that are limited; those of the actuator never are.
     */
    record Inbound(
            @Nullable Integer maxInFlight,
            @Nullable Adaptive adaptive,
            @Nullable Integer min,
            @Nullable Integer max,
            @DefaultValue("/**") List<String> paths) {
        Bulkhead limit() {
            return new Bulkhead(maxInFlight, adaptive, min, max);
        }
    }

    /**
     * Health.
     *
     * @param openBreakerIsDown Whether the service is down while a breaker is open.
     */
    record Health(@DefaultValue("false") boolean openBreakerIsDown) {}

    /**
     * The console.
     *
     * @param enabled Whether it is started.
     * @param port The port; 0 for any free one.
     * @param address The address to listen on; the loopback address unless set.
     * @param token The token that control needs; without one nothing can be changed.
     * @param path The beginning of all paths of the console.
     * @param hosts Names by which viewers may call this host besides its address, such as that of a proxy.
     */
    record Console(
            @DefaultValue("false") boolean enabled,
            @DefaultValue("7878") int port,
            @Nullable String address,
            @Nullable String token,
            @DefaultValue("") String path,
            @DefaultValue List<String> hosts) {
        /** Leaves out the token. */
        @Override
        public String toString() {
            return "Console(enabled=" + enabled + ", port=" + port + ")";
        }
    }
}
