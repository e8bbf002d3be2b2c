/** Rate limiters that are wrong on purpose: what the tools must catch. */
@NullMarked
package io.tidegate.rate.broken;

import org.jspecify.annotations.NullMarked;
