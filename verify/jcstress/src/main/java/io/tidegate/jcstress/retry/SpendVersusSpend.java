package io.tidegate.jcstress.retry;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tidegate.retry.RetryBudget;
import io.tidegate.retry.broken.BudgetFactory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** RT-5: two retries while the budget has one. */
@JCStressTest
@Description("RT-5: tryRetry | tryRetry with one retry there. Whether each, and one more at the end, got it.")
@Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "The first was quicker.")
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "The second was quicker.")
@Outcome(expect = FORBIDDEN, desc = "A retry too many, or one lost.")
@State
public class SpendVersusSpend {
    private final RetryBudget budget;

    public SpendVersusSpend() {
        this(BudgetFactory.TIDEGATE);
    }

    protected SpendVersusSpend(BudgetFactory factory) {
        budget = factory.create();
        budget.onFirst();
    }

    @Actor
    public void first(ZZZ_Result result) {
        result.r1 = budget.tryRetry();
    }

    @Actor
    public void second(ZZZ_Result result) {
        result.r2 = budget.tryRetry();
    }

    @Arbiter
    public void look(ZZZ_Result result) {
        result.r3 = budget.tryRetry();
    }
}
