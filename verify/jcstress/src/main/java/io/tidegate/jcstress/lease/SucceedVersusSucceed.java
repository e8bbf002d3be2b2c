package io.tidegate.jcstress.lease;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tidegate.lease.broken.LeaseFactory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** WL-9: two finishes with the token of the same lease. */
@JCStressTest
@Description("WL-9: succeed | succeed. The answer of each, the domain at the end.")
@Outcome(
        id = {"NO_BACKLOG, LATE, none\\[\\]1", "LATE, NO_BACKLOG, none\\[\\]1"},
        expect = ACCEPTABLE,
        desc = "One of them ended the lease.")
@Outcome(id = "NO_BACKLOG, NO_BACKLOG, .*", expect = FORBIDDEN, desc = "Both ended the same lease.")
@Outcome(expect = FORBIDDEN, desc = "The lease is still there, or its end was lost.")
@State
public class SucceedVersusSucceed {
    private final Workers workers;
    private final String token;

    public SucceedVersusSucceed() {
        this(LeaseFactory.TIDEGATE);
    }

    protected SucceedVersusSucceed(LeaseFactory factory) {
        workers = new Workers(factory);
        token = workers.lease(1);
    }

    @Actor
    public void first(LLL_Result result) {
        result.r1 = workers.succeed(token);
    }

    @Actor
    public void second(LLL_Result result) {
        result.r2 = workers.succeed(token);
    }

    @Arbiter
    public void look(LLL_Result result) {
        result.r3 = workers.state();
    }
}
