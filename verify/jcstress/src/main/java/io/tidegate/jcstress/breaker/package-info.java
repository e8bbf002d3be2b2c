/**
 * Races on Tidegate's circuit breaker. Each class is one race with its table of outcomes; its body takes the breaker it
 * is run on, and the subclasses in {@code broken} run the same body on one that must not pass.
 */
@NullMarked
package io.tidegate.jcstress.breaker;

import org.jspecify.annotations.NullMarked;
