package io.tidegate.jcstress.rate.broken;

import io.tidegate.jcstress.rate.RenewalVersusRenewal;
import io.tidegate.jcstress.rate.TryVersusTry;
import io.tidegate.rate.broken.BrokenLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The time is compared in one step and moved in another. */
public final class CheckThenAct {
    private CheckThenAct() {}

    /** Both are admitted. */
    @JCStressTest
    @State
    public static class InTryVersusTry extends TryVersusTry {
        public InTryVersusTry() {
            super(BrokenLimiter.CHECK_THEN_ACT);
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

    /** Both are admitted. */
    @JCStressTest
    @State
    public static class InRenewalVersusRenewal extends RenewalVersusRenewal {
        public InRenewalVersusRenewal() {
            super(BrokenLimiter.CHECK_THEN_ACT);
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
