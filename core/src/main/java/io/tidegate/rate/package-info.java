/**
 * The rate limiter: admits a number of calls in each period, exactly, and lets others wait or refuses them at once.
 *
 * <p>Start at {@link io.tidegate.rate.RateLimiter}.
 */
@NullMarked
package io.tidegate.rate;

import org.jspecify.annotations.NullMarked;
