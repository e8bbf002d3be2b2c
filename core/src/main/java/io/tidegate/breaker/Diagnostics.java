package io.tidegate.breaker;

import java.time.Duration;

/**
 * What a breaker would do next, and the settings in force.
 *
 * @param state the state
 * @param oneMoreFailureTrips whether a call that fails now would open the breaker
 * @param timeUntilHalfOpen how long an open breaker goes on refusing; zero in every other state, and when the time is
 *     over
 * @param probesInFlight probes that hold a slot
 * @param timeout how long the present opening lasts, or the next one would if the breaker is not open
 * @param interval how often the closed state's counts are cleared; zero for never
 * @param maxRequests the most probes at once
 * @param successesToClose the probe successes that close the breaker
 */
public record Diagnostics(
        State state,
        boolean oneMoreFailureTrips,
        Duration timeUntilHalfOpen,
        int probesInFlight,
        Duration timeout,
        Duration interval,
        int maxRequests,
        int successesToClose) {}
