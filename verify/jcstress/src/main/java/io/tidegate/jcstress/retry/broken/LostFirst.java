package io.tidegate.jcstress.retry.broken;

import io.tidegate.jcstress.retry.FirstVersusFirst;
import io.tidegate.retry.broken.BrokenBudget;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** If two first attempts earn at the same time, the earnings of one are lost. */
public final class LostFirst {
    private LostFirst() {}

    /** The earnings of one attempt are lost. */
    @JCStressTest
    @State
    public static class InFirstVersusFirst extends FirstVersusFirst {
        public InFirstVersusFirst() {
            super(BrokenBudget.LOST_FIRST);
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
        public void look(ZZZ_Result result) {
            super.look(result);
        }
    }
}
