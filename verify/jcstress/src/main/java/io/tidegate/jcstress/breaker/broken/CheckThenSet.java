package io.tidegate.jcstress.breaker.broken;

import io.tidegate.breaker.broken.SeparateAtomicsBreaker;
import io.tidegate.jcstress.breaker.TripVersusTrip;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** The state is read in one step and set in another. */
public final class CheckThenSet {
    private CheckThenSet() {}

    /** Both trip. */
    @JCStressTest
    @State
    public static class InTripVersusTrip extends TripVersusTrip {
        public InTripVersusTrip() {
            super(SeparateAtomicsBreaker.CHECK_THEN_SET);
        }

        @Actor
        @Override
        public void first() {
            super.first();
        }

        @Actor
        @Override
        public void second() {
            super.second();
        }

        @Arbiter
        @Override
        public void look(LLL_Result result) {
            super.look(result);
        }
    }
}
