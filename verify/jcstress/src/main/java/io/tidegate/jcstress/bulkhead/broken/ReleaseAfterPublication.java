package io.tidegate.jcstress.bulkhead.broken;

import io.tidegate.bulkhead.broken.BrokenBulkhead;
import io.tidegate.jcstress.bulkhead.SubmitVersusComplete;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLLL_Result;

/** The end is visible before the permit is back. */
public final class ReleaseAfterPublication {
    private ReleaseAfterPublication() {}

    /** A submission is refused after the end was seen. */
    @JCStressTest
    @State
    public static class InSubmitVersusComplete extends SubmitVersusComplete {
        public InSubmitVersusComplete() {
            super(BrokenBulkhead.RELEASE_AFTER_PUBLICATION);
        }

        @Actor
        @Override
        public void complete() {
            super.complete();
        }

        @Actor
        @Override
        public void submit(LLLL_Result result) {
            super.submit(result);
        }

        @Arbiter
        @Override
        public void look(LLLL_Result result) {
            super.look(result);
        }
    }
}
