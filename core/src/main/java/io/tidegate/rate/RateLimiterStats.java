package io.tidegate.rate;

/**
 * What a rate limiter has counted since it was built: exact at rest; while permits are taken it may be behind for a
 * moment.
 *
 * @param admitted permits that were given out
 * @param refused tries and submissions that were refused, however many permits they wanted
 * @param waiting how many wait at present
 */
public record RateLimiterStats(long admitted, long refused, long waiting) {}
