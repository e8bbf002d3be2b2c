package io.tidegate.jcstress.guard.broken;

import io.tidegate.guard.broken.BrokenLimit;
import io.tidegate.jcstress.guard.LimitVersusEnd;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** The interrupt comes in a separate step. */
public final class LateInterrupt {
    private LateInterrupt() {}

    /** The interrupt outlives the call. */
    @JCStressTest
    @State
    public static class InLimitVersusEnd extends LimitVersusEnd {
        public InLimitVersusEnd() {
            super(BrokenLimit.LATE_INTERRUPT);
        }

        @Actor
        @Override
        public void call(ZZZ_Result result) {
            super.call(result);
        }

        @Actor
        @Override
        public void clock() {
            super.clock();
        }

        @Arbiter
        @Override
        public void look(ZZZ_Result result) {
            super.look(result);
        }
    }
}
