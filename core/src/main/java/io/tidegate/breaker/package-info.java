/**
 * The circuit breaker: stops calling what keeps failing, and tries again with a few probes.
 *
 * <p>Start at {@link io.tidegate.breaker.CircuitBreaker}.
 */
@NullMarked
package io.tidegate.breaker;

import org.jspecify.annotations.NullMarked;
