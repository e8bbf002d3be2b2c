package io.tidegate.jcstress.breaker.broken;

import io.tidegate.breaker.broken.SeparateAtomicsBreaker;
import io.tidegate.jcstress.breaker.LateEndVersusNewProbe;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ILI_Result;

/** The slots outlive the half-open period. */
public final class NeitherFault {
    private NeitherFault() {}

    /** A probe finds the slot of a late one taken, or a late success closes. */
    @JCStressTest
    @State
    public static class InLateEndVersusNewProbe extends LateEndVersusNewProbe {
        public InLateEndVersusNewProbe() {
            super(SeparateAtomicsBreaker.NEITHER_FAULT);
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
