package io.tidegate.jdbc;

/** On what terms leases are asked for. */
record Terms(String owner, long leaseMillis, int maxRetries) {}
