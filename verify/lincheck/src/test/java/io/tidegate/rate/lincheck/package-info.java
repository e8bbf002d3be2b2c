/** Linearizability checks of the rate limiter. Start at {@link io.tidegate.rate.lincheck.RateLincheckTest}. */
@NullMarked
package io.tidegate.rate.lincheck;

import org.jspecify.annotations.NullMarked;
