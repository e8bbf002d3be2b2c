package io.tidegate.bulkhead;

/**
 * What a bulkhead has counted since it was built.
 *
 * <p>In every snapshot {@code submitted = admitted + rejected} and {@code released <= admitted}; at rest
 * {@code admitted - released} is the number in flight.
 *
 * @param submitted submissions decided, whichever way
 * @param admitted submissions that were given a permit
 * @param rejected submissions that were refused
 * @param released permits given back
 */
public record BulkheadStats(long submitted, long admitted, long rejected, long released) {}
