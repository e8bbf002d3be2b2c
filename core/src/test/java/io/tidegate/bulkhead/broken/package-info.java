/** Bulkheads that are wrong on purpose: what the tools must catch. */
@NullMarked
package io.tidegate.bulkhead.broken;

import org.jspecify.annotations.NullMarked;
