package io.tidegate.breaker;

import static java.util.Objects.requireNonNull;

import io.tidegate.time.Nanos;
import java.time.Duration;

/**
 * The settings that can change while a breaker runs. Times are in nanoseconds; a duration that is too long for a long
 * counts as the longest one that fits.
 *
 * @param successesToClose 0: as many as {@code maxRequests}
 * @param probeTimeout 0: as long as {@code timeout}
 * @param rateThreshold the failure rate that trips; 0: none
 * @param minimumObservations how many calls must have completed before a rate can trip
 */
record LiveSettings(
        int maxRequests,
        int successesToClose,
        long interval,
        long timeout,
        long probeTimeout,
        double rateThreshold,
        int minimumObservations) {
    int closingSuccesses() {
        return successesToClose == 0 ? maxRequests : successesToClose;
    }

    long probeLimit() {
        return probeTimeout == 0 ? timeout : probeTimeout;
    }

    boolean hasRate() {
        return rateThreshold > 0;
    }

    LiveSettings withMaxRequests(int probes) {
        return new LiveSettings(
                probes, successesToClose, interval, timeout, probeTimeout, rateThreshold, minimumObservations);
    }

    LiveSettings withSuccessesToClose(int successes) {
        return new LiveSettings(
                maxRequests, successes, interval, timeout, probeTimeout, rateThreshold, minimumObservations);
    }

    LiveSettings withInterval(long nanos) {
        return new LiveSettings(
                maxRequests, successesToClose, nanos, timeout, probeTimeout, rateThreshold, minimumObservations);
    }

    LiveSettings withTimeout(long nanos) {
        return new LiveSettings(
                maxRequests, successesToClose, interval, nanos, probeTimeout, rateThreshold, minimumObservations);
    }

    LiveSettings withProbeTimeout(long nanos) {
        return new LiveSettings(
                maxRequests, successesToClose, interval, timeout, nanos, rateThreshold, minimumObservations);
    }

    LiveSettings withRate(double threshold, int minimum) {
        return new LiveSettings(maxRequests, successesToClose, interval, timeout, probeTimeout, threshold, minimum);
    }

    static int checkMaxRequests(int probes) {
        check(
                probes >= 1 && probes <= CircuitBreaker.LARGEST_MAX_REQUESTS,
                "maxRequests",
                probes,
                "1 to " + CircuitBreaker.LARGEST_MAX_REQUESTS);
        return probes;
    }

    static int checkAtLeastOne(String name, int value) {
        check(value >= 1, name, value, ">= 1");
        return value;
    }

    static long checkPositive(String name, Duration value) {
        requireNonNull(value, name);
        check(!value.isNegative() && !value.isZero(), name, value, "> 0");
        return Nanos.of(value);
    }

    static long checkNotNegative(String name, Duration value) {
        requireNonNull(value, name);
        check(!value.isNegative(), name, value, ">= 0");
        return Nanos.of(value);
    }

    static double checkRate(String name, double value) {
        check(value > 0 && value <= 1, name, value, "> 0 and <= 1");
        return value;
    }

    static void check(boolean right, String name, Object value, String expected) {
        if (!right) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
        }
    }
}
