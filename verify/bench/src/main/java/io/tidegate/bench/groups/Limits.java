package io.tidegate.bench.groups;

/** The three limits that all contestants keep, if they know them. */
record Limits(int inAll, int inFlight, int concurrency) {}
