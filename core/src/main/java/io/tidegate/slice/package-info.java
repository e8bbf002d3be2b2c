/**
 * What the remote bulkhead shares with the cluster bulkhead on top of it: a cap that is a leased slice of a larger cap.
 * Not exported.
 */
@NullMarked
package io.tidegate.slice;

import org.jspecify.annotations.NullMarked;
