package io.tidegate.jcstress.lease.broken;

import io.tidegate.jcstress.lease.AcquireVersusAcquire;
import io.tidegate.lease.broken.RacyLease;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** The check that the domain is free comes before the token is made, and is not repeated. */
public final class AcquiresWithoutASecondLook {
    private AcquiresWithoutASecondLook() {}

    /** Both acquire. */
    @JCStressTest
    @State
    public static class InAcquireVersusAcquire extends AcquireVersusAcquire {
        public InAcquireVersusAcquire() {
            super(RacyLease.ACQUIRES_WITHOUT_A_SECOND_LOOK);
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
