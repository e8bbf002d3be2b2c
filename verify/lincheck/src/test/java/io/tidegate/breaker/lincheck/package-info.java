/** Linearizability checks of the circuit breaker. Start at {@link io.tidegate.breaker.lincheck.BreakerLincheckTest}. */
@NullMarked
package io.tidegate.breaker.lincheck;

import org.jspecify.annotations.NullMarked;
