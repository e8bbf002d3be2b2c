/**
 * Linearizability checks of the async bulkhead. Start at {@link io.tidegate.bulkhead.lincheck.BulkheadLincheckTest}.
 */
@NullMarked
package io.tidegate.bulkhead.lincheck;

import org.jspecify.annotations.NullMarked;
