package io.tidegate.jcstress.bulkhead.broken;

import io.tidegate.bulkhead.broken.BrokenBulkhead;
import io.tidegate.jcstress.bulkhead.CancelVersusComplete;
import io.tidegate.jcstress.bulkhead.ThreeEnds;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;

/** The reported kind and the visible state come from two decisions. */
public final class TwoStepDecision {
    private TwoStepDecision() {}

    /** The listener gets one end, and the future shows the other. */
    @JCStressTest
    @State
    public static class InCancelVersusComplete extends CancelVersusComplete {
        public InCancelVersusComplete() {
            super(BrokenBulkhead.TWO_STEP_DECISION);
        }

        @Actor
        @Override
        public void cancel() {
            super.cancel();
        }

        @Actor
        @Override
        public void complete() {
            super.complete();
        }

        @Arbiter
        @Override
        public void look(LLI_Result result) {
            super.look(result);
        }
    }

    /** The listener gets one end, and the future shows another. */
    @JCStressTest
    @State
    public static class InThreeEnds extends ThreeEnds {
        public InThreeEnds() {
            super(BrokenBulkhead.TWO_STEP_DECISION);
        }

        @Actor
        @Override
        public void cancel() {
            super.cancel();
        }

        @Actor
        @Override
        public void completeAndFail() {
            super.completeAndFail();
        }

        @Arbiter
        @Override
        public void look(LLI_Result result) {
            super.look(result);
        }
    }
}
