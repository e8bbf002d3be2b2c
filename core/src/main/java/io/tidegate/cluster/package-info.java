/** The cluster bulkhead: one cap on remote operations for many processes, by leased slices. */
@NullMarked
package io.tidegate.cluster;

import org.jspecify.annotations.NullMarked;
