/**
 * What the remote bulkhead and the cluster bulkhead on top of it share: a cap that is a slice of a greater one, on a
 * lease. Not exported.
 */
@NullMarked
package io.tidegate.slice;

import org.jspecify.annotations.NullMarked;
