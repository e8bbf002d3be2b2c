package io.tidegate.remote;

/**
 * A latency and the load it was seen under.
 *
 * @param inFlight permits out when it was recorded
 * @param latencyMs the latency
 */
public record ForegroundLatencySample(int inFlight, long latencyMs) {}
