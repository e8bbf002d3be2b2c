/** Time limits that are wrong on purpose: what the tools must catch. */
@NullMarked
package io.tidegate.guard.broken;

import org.jspecify.annotations.NullMarked;
