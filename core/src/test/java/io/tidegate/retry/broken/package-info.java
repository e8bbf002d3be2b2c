/** Retry budgets that are wrong on purpose: what the tools must catch. */
@NullMarked
package io.tidegate.retry.broken;

import org.jspecify.annotations.NullMarked;
