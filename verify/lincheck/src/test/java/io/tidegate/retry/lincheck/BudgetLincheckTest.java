package io.tidegate.retry.lincheck;

import static io.tidegate.lincheck.Strategy.MODEL_CHECKING;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lincheck.Strategy;
import io.tidegate.retry.broken.BrokenBudget;
import io.tidegate.retry.broken.BudgetFactory;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BudgetLincheckTest {
    @ParameterizedTest
    @EnumSource(Strategy.class)
    @DisplayName("RT-5 earning and spending are linearizable")
    void spending_tidegate_linearizable(Strategy strategy) {
        check(strategy, BudgetFactory.TIDEGATE, true);
    }

    @ParameterizedTest
    @EnumSource(BrokenBudget.class)
    @Tag("broken")
    @DisplayName("RT-5 a retry too many, or one lost, is caught")
    void spending_broken_caught(BrokenBudget broken) {
        assertThatThrownBy(() -> check(MODEL_CHECKING, broken, false))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("= Invalid execution results =");
    }

    private static void check(Strategy strategy, BudgetFactory factory, boolean holds) {
        Spending.factory = factory;
        strategy.check(Spending.class, SpendingSpecification.class, holds);
    }
}
