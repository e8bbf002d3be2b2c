package io.tidegate.jcstress.lease.broken;

import io.tidegate.jcstress.lease.SucceedVersusAcquire;
import io.tidegate.lease.broken.RacyLease;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** The check that another offset is leased is one step, and the enqueueing of the new offset another. */
public final class EnqueuesInTwoSteps {
    private EnqueuesInTwoSteps() {}

    /** The offset waits, and no finish hinted at it. */
    @JCStressTest
    @State
    public static class InSucceedVersusAcquire extends SucceedVersusAcquire {
        public InSucceedVersusAcquire() {
            super(RacyLease.ENQUEUES_IN_TWO_STEPS);
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
