package io.tidegate.retry.lincheck;

import io.tidegate.retry.RetryBudget;
import io.tidegate.retry.broken.BudgetFactory;
import org.jetbrains.lincheck.datastructures.Operation;

/** First attempts and retries on a budget. */
public class Spending {
    /** The budget of the running check. Static, because Lincheck makes its objects without arguments. */
    static BudgetFactory factory = BudgetFactory.TIDEGATE;

    private final RetryBudget budget = factory.create();

    @Operation
    public void onFirst() {
        budget.onFirst();
    }

    @Operation
    public boolean tryRetry() {
        return budget.tryRetry();
    }
}
