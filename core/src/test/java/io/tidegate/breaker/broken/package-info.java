/** Breakers that are wrong on purpose: what the tools must catch. */
@NullMarked
package io.tidegate.breaker.broken;

import org.jspecify.annotations.NullMarked;
