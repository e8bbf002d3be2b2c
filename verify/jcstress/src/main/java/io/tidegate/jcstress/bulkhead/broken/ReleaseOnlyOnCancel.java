package io.tidegate.jcstress.bulkhead.broken;

import io.tidegate.bulkhead.broken.BrokenBulkhead;
import io.tidegate.jcstress.bulkhead.ObtrudeVersusComplete;
import io.tidegate.jcstress.bulkhead.ThreeEnds;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLI_Result;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/** If the caller ends the future in another way than by cancelling, the permit is lost. */
public final class ReleaseOnlyOnCancel {
    private ReleaseOnlyOnCancel() {}

    /** The future shows the caller's failure without a release; the release comes from a later end, of another kind. */
    @JCStressTest
    @State
    public static class InThreeEnds extends ThreeEnds {
        public InThreeEnds() {
            super(BrokenBulkhead.RELEASE_ONLY_ON_CANCEL);
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

    /** The future shows the obtruded end while the permit is still taken. */
    @JCStressTest
    @State
    public static class InObtrudeVersusComplete extends ObtrudeVersusComplete {
        public InObtrudeVersusComplete() {
            super(BrokenBulkhead.RELEASE_ONLY_ON_CANCEL);
        }

        @Actor
        @Override
        public void obtrude(LLLL_Result result) {
            super.obtrude(result);
        }

        @Actor
        @Override
        public void complete(LLLL_Result result) {
            super.complete(result);
        }

        @Arbiter
        @Override
        public void look(LLLL_Result result) {
            super.look(result);
        }
    }
}
