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

/** WL-2, WL-11: an offset is offered while the one before it is finished. */
@JCStressTest
@Description("WL-2, WL-11: succeed | tryAcquire of another. The answer of each, the domain at the end.")
@Outcome(
        id = "NEXT_HINT, ENQUEUED, none\\[2\\]1",
        expect = ACCEPTABLE,
        desc = "It came before the end, which hints at it.")
@Outcome(id = "NO_BACKLOG, ACQUIRED, 2\\[\\]1", expect = ACCEPTABLE, desc = "It came after the end.")
@Outcome(id = "NO_BACKLOG, ENQUEUED, .*", expect = FORBIDDEN, desc = "It waits, and no end hinted at it.")
@Outcome(expect = FORBIDDEN, desc = "The domain does not match the answers.")
@State
public class SucceedVersusAcquire {
    private final Workers workers;
    private final String token;

    public SucceedVersusAcquire() {
        this(LeaseFactory.TIDEGATE);
    }

    protected SucceedVersusAcquire(LeaseFactory factory) {
        workers = new Workers(factory);
        token = workers.lease(1);
    }

    @Actor
    public void first(LLL_Result result) {
        result.r1 = workers.succeed(token);
    }

    @Actor
    public void second(LLL_Result result) {
        result.r2 = workers.acquire(2);
    }

    @Arbiter
    public void look(LLL_Result result) {
        result.r3 = workers.state();
    }
}
