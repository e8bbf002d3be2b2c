package io.tidegate.breaker;

import java.time.Duration;

/** A change of any subset of a running breaker's settings. Checked as in {@link CircuitBreaker.Builder}. */
public interface SettingsUpdate {
    /** Changes the open time; in an open breaker it starts over. */
    SettingsUpdate timeout(Duration openFor);

    /** Changes the tumbling window; a closed breaker's counts are cleared. */
    SettingsUpdate interval(Duration interval);

    /** Changes the most probes at once. */
    SettingsUpdate maxRequests(int probes);

    /** Changes the probe successes that close the breaker. */
    SettingsUpdate successesToClose(int successes);

    /** Changes the time after which a probe's slot can be taken by another. */
    SettingsUpdate probeTimeout(Duration limit);

    /** Changes the failure rate that trips. */
    SettingsUpdate failureRate(double threshold, int minimumObservations);
}
