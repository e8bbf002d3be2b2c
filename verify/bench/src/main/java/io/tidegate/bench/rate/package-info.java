/** The rate limiter, measured. */
@NullMarked
package io.tidegate.bench.rate;

import org.jspecify.annotations.NullMarked;
