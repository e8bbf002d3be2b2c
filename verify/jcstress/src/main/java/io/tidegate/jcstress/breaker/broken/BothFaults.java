package io.tidegate.jcstress.breaker.broken;

import io.tidegate.breaker.broken.SeparateAtomicsBreaker;
import io.tidegate.jcstress.breaker.OverdueProbeVersusCall;
import io.tidegate.jcstress.breaker.ProbeFailureVersusCalls;
import io.tidegate.jcstress.breaker.TakeVersusEnd;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ILJ_Result;
import org.openjdk.jcstress.infra.results.IL_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The first probe holds no slot, and the time of opening is written after the state. */
public final class BothFaults {
    private BothFaults() {}

    /** A call is admitted beside the first probe. */
    @JCStressTest
    @State
    public static class InProbeFailureVersusCalls extends ProbeFailureVersusCalls {
        public InProbeFailureVersusCalls() {
            super(SeparateAtomicsBreaker.BOTH_FAULTS);
        }

        @Actor
        @Override
        public void failure() {
            super.failure();
        }

        @Actor
        @Override
        public void calls(IL_Result result) {
            super.calls(result);
        }

        @Arbiter
        @Override
        public void look(IL_Result result) {
            super.look(result);
        }
    }

    /** A call is admitted beside a probe that then opens the breaker. */
    @JCStressTest
    @State
    public static class InOverdueProbeVersusCall extends OverdueProbeVersusCall {
        public InOverdueProbeVersusCall() {
            super(SeparateAtomicsBreaker.BOTH_FAULTS);
        }

        @Actor
        @Override
        public void failure() {
            super.failure();
        }

        @Actor
        @Override
        public void calls(ILJ_Result result) {
            super.calls(result);
        }

        @Arbiter
        @Override
        public void look(ILJ_Result result) {
            super.look(result);
        }
    }

    /** Two calls are admitted beside the first probe. */
    @JCStressTest
    @State
    public static class InTakeVersusEnd extends TakeVersusEnd {
        public InTakeVersusEnd() {
            super(SeparateAtomicsBreaker.BOTH_FAULTS);
        }

        @Actor
        @Override
        public void callAndFailure(ZZ_Result result) {
            super.callAndFailure(result);
        }

        @Actor
        @Override
        public void call(ZZ_Result result) {
            super.call(result);
        }
    }
}
