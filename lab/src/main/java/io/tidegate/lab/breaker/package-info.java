/** The scene of the circuit breaker: a service that fails for a while. */
@NullMarked
package io.tidegate.lab.breaker;

import org.jspecify.annotations.NullMarked;
