/** The circuit breaker, measured. */
@NullMarked
package io.tidegate.bench.breaker;

import org.jspecify.annotations.NullMarked;
