package io.tidegate;

import java.time.Duration;

/**
 * Implemented by an exception by which a callee reports that it is overloaded, as an HTTP client's would for {@code
 * 429} and {@code 503}. The call was made, so this is not a {@link Refusal}: a breaker counts it as a failure. A retry
 * pauses for at least {@link #retryAfter} before the next attempt, and an adaptive limit falls.
 */
public interface Overload {
    /** How long the callee asks its callers to wait; {@link Duration#ZERO} if it does not say. */
    Duration retryAfter();
}
