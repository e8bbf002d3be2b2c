/** Linearizability checks of the retry budget. Start at {@link io.tidegate.retry.lincheck.BudgetLincheckTest}. */
@NullMarked
package io.tidegate.retry.lincheck;

import org.jspecify.annotations.NullMarked;
