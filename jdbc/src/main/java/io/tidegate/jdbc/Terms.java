package io.tidegate.jdbc;

import java.time.Duration;

/** On what terms leases are asked for. */
record Terms(String owner, long leaseMillis, int maxRetries) {
    /** Sums with the engine's clock must not overflow. */
    static final Duration LONGEST = Duration.ofDays(36_500);
}
