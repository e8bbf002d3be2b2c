package io.tidegate.retry.broken;

import io.tidegate.retry.RetryBudget;
import java.time.Duration;

/** Makes budgets in which each first attempt earns a retry, and time stands still: Tidegate's or a broken one. */
public interface BudgetFactory {
    BudgetFactory TIDEGATE = () -> RetryBudget.of(1, 0, Duration.ofSeconds(10), () -> 0L);

    RetryBudget create();
}
