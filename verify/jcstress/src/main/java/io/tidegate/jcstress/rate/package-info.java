/** Races on the rate limiter. */
@NullMarked
package io.tidegate.jcstress.rate;

import org.jspecify.annotations.NullMarked;
