package io.tidegate.jcstress.breaker.broken;

import io.tidegate.breaker.broken.SeparateAtomicsBreaker;
import io.tidegate.jcstress.breaker.TripVersusCall;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** The time of opening is written after the state. */
public final class FirstProbeTakesSlot {
    private FirstProbeTakesSlot() {}

    /** The call finds that the breaker opened long ago, and becomes a probe. */
    @JCStressTest
    @State
    public static class InTripVersusCall extends TripVersusCall {
        public InTripVersusCall() {
            super(SeparateAtomicsBreaker.FIRST_PROBE_TAKES_SLOT);
        }

        @Actor
        @Override
        public void failure() {
            super.failure();
        }

        @Actor
        @Override
        public void call(LLL_Result result) {
            super.call(result);
        }

        @Arbiter
        @Override
        public void look(LLL_Result result) {
            super.look(result);
        }
    }
}
