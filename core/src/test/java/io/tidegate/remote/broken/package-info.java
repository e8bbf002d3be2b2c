/** Remote bulkheads that are wrong on purpose: what the tools must catch. */
@NullMarked
package io.tidegate.remote.broken;

import org.jspecify.annotations.NullMarked;
