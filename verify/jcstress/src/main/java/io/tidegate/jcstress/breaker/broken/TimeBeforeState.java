package io.tidegate.jcstress.breaker.broken;

import io.tidegate.breaker.broken.SeparateAtomicsBreaker;
import io.tidegate.jcstress.breaker.LateEndVersusNewProbe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ILI_Result;

/** The first probe holds no slot. */
public final class TimeBeforeState {
    private TimeBeforeState() {}

    /** Three probes are admitted, or a late success closes. */
    @JCStressTest
    @State
    public static class InLateEndVersusNewProbe extends LateEndVersusNewProbe {
        public InLateEndVersusNewProbe() {
            super(SeparateAtomicsBreaker.TIME_BEFORE_STATE);
        }

        @Actor
        @Override
        public void lateEnds() {
            super.lateEnds();
        }

        @Actor
        @Override
        public void newProbes(ILI_Result result) {
            super.newProbes(result);
        }

        @Arbiter
        @Override
        public void look(ILI_Result result) {
            super.look(result);
        }
    }
}
