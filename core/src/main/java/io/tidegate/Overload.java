package io.tidegate;

import java.time.Duration;

/**
 * Implemented by an exception with which a callee says that it has too much to do, as an HTTP client's would for {@code
 * 429} and {@code 503}. The call was made, so this is no {@link Refusal}: a breaker counts it as the failure it is. A
 * retry pauses for at least {@link #retryAfter} before the next attempt, and an adaptive limit falls.
 */
public interface Overload {
    /** How long the callee asks its callers to stay away; {@link Duration#ZERO} if it does not say. */
    Duration retryAfter();
}
