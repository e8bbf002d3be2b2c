/**
 * What the remote bulkhead and the cluster on top of it know of each other: a cap that is a slice of a greater one, on
 * a lease. Not exported.
 */
@NullMarked
package io.tidegate.slice;

import org.jspecify.annotations.NullMarked;
