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

/** A caller that ends the future by other means than cancelling keeps the permit. */
public final class ReleaseOnlyOnCancel {
    private ReleaseOnlyOnCancel() {}

    /** The failing caller shows its end without a release; a later one tells its own. */
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

    /** The obtruder shows its end while the permit is taken. */
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
