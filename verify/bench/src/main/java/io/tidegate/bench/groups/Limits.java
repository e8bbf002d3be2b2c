package io.tidegate.bench.groups;

/** The three limits that all contestants keep, as far as they have them. */
record Limits(int inAll, int inFlight, int concurrency) {}
