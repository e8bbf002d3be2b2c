/** Work leases that are wrong on purpose: what the tools must catch. */
@NullMarked
package io.tidegate.lease.broken;

import org.jspecify.annotations.NullMarked;
