package io.tidegate.jcstress.lease.broken;

import io.tidegate.jcstress.lease.SucceedVersusSucceed;
import io.tidegate.lease.broken.RacyLease;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** The token is checked in one step and the lease ended in another. */
public final class FinishesInTwoSteps {
    private FinishesInTwoSteps() {}

    /** Both finishes report that they ended the lease. */
    @JCStressTest
    @State
    public static class InSucceedVersusSucceed extends SucceedVersusSucceed {
        public InSucceedVersusSucceed() {
            super(RacyLease.FINISHES_IN_TWO_STEPS);
        }

        @Actor
        @Override
        public void first(LLL_Result result) {
            super.first(result);
        }

        @Actor
        @Override
        public void second(LLL_Result result) {
            super.second(result);
        }

        @Arbiter
        @Override
        public void look(LLL_Result result) {
            super.look(result);
        }
    }
}
