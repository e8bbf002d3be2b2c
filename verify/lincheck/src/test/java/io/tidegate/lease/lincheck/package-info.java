/** Linearizability checks of the work lease. Start at {@link io.tidegate.lease.lincheck.LeaseLincheckTest}. */
@NullMarked
package io.tidegate.lease.lincheck;

import org.jspecify.annotations.NullMarked;
