/**
 * Races on the work lease. Each class is one race with its table of outcomes; its body takes the leases it is run on,
 * and the subclasses in {@code broken} run the same body on some that must not pass.
 */
@NullMarked
package io.tidegate.jcstress.lease;

import org.jspecify.annotations.NullMarked;
