package io.tidegate.jcstress.bulkhead.broken;

import io.tidegate.bulkhead.broken.BrokenBulkhead;
import io.tidegate.jcstress.bulkhead.SubmitVersusSubmit;
import io.tidegate.jcstress.bulkhead.ThreeSubmits;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** The limit is checked in one step and the permit taken in another. */
public final class CheckThenAct {
    private CheckThenAct() {}

    /** Both are admitted. */
    @JCStressTest
    @State
    public static class InSubmitVersusSubmit extends SubmitVersusSubmit {
        public InSubmitVersusSubmit() {
            super(BrokenBulkhead.CHECK_THEN_ACT);
        }

        @Actor
        @Override
        public void first(III_Result result) {
            super.first(result);
        }

        @Actor
        @Override
        public void second(III_Result result) {
            super.second(result);
        }

        @Arbiter
        @Override
        public void look(III_Result result) {
            super.look(result);
        }
    }

    /** Three are admitted. */
    @JCStressTest
    @State
    public static class InThreeSubmits extends ThreeSubmits {
        public InThreeSubmits() {
            super(BrokenBulkhead.CHECK_THEN_ACT);
        }

        @Actor
        @Override
        public void twice(III_Result result) {
            super.twice(result);
        }

        @Actor
        @Override
        public void once(III_Result result) {
            super.once(result);
        }

        @Arbiter
        @Override
        public void look(III_Result result) {
            super.look(result);
        }
    }
}
