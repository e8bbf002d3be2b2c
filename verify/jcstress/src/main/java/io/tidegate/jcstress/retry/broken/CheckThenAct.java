package io.tidegate.jcstress.retry.broken;

import io.tidegate.jcstress.retry.SpendVersusSpend;
import io.tidegate.retry.broken.BrokenBudget;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The balance is compared in one step and spent in another. */
public final class CheckThenAct {
    private CheckThenAct() {}

    /** Both retries are allowed. */
    @JCStressTest
    @State
    public static class InSpendVersusSpend extends SpendVersusSpend {
        public InSpendVersusSpend() {
            super(BrokenBudget.CHECK_THEN_ACT);
        }

        @Actor
        @Override
        public void first(ZZZ_Result result) {
            super.first(result);
        }

        @Actor
        @Override
        public void second(ZZZ_Result result) {
            super.second(result);
        }

        @Arbiter
        @Override
        public void look(ZZZ_Result result) {
            super.look(result);
        }
    }
}
