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

/** RT-5: two first attempts at the same time. */
@JCStressTest
@Description("RT-5: onFirst | onFirst. Whether three retries at the end were there.")
@Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "Each has earned one.")
@Outcome(expect = FORBIDDEN, desc = "One was lost, or is there twice.")
@State
public class FirstVersusFirst {
    private final RetryBudget budget;

    public FirstVersusFirst() {
        this(BudgetFactory.TIDEGATE);
    }

    protected FirstVersusFirst(BudgetFactory factory) {
        budget = factory.create();
    }

    @Actor
    public void first() {
        budget.onFirst();
    }

    @Actor
    public void second() {
        budget.onFirst();
    }

    @Arbiter
    public void look(ZZZ_Result result) {
        result.r1 = budget.tryRetry();
        result.r2 = budget.tryRetry();
        result.r3 = budget.tryRetry();
    }
}
