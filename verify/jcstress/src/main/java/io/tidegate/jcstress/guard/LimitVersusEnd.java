package io.tidegate.jcstress.guard;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tidegate.guard.LimitOnThread;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** TL-3: a time limit fires while its call ends. */
@JCStressTest
@Description("TL-3: fire | leave. Whether the limit fired, and whether its thread was interrupted after it, or later.")
@Outcome(id = "false, false, false", expect = ACCEPTABLE, desc = "The call ended in time.")
@Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "The limit fired, and its interrupt is gone.")
@Outcome(expect = FORBIDDEN, desc = "An interrupt has outlived its call.")
@State
public class LimitVersusEnd {
    private final LimitOnThread.Factory factory;
    private volatile @Nullable LimitOnThread limit;
    private volatile @Nullable Thread thread;

    public LimitVersusEnd() {
        this(LimitOnThread.Factory.TIDEGATE);
    }

    protected LimitVersusEnd(LimitOnThread.Factory factory) {
        this.factory = factory;
    }

    @Actor
    public void call(ZZZ_Result result) {
        LimitOnThread entered = factory.enter();
        thread = Thread.currentThread();
        limit = entered;
        result.r1 = entered.leave();
        result.r2 = Thread.interrupted();
    }

    @Actor
    public void clock() {
        LimitOnThread set = limit;
        if (set != null) {
            set.fire();
        }
    }

    @Arbiter
    public void look(ZZZ_Result result) {
        Thread called = thread;
        result.r3 = called != null && called.isInterrupted();
    }
}
