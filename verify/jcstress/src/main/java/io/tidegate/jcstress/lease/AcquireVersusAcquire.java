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

/** WL-11: two offsets are offered to a new domain. */
@JCStressTest
@Description("WL-11: tryAcquire | tryAcquire of a fresh domain. The answer of each, the domain at the end.")
@Outcome(id = "ACQUIRED, ENQUEUED, 1\\[2\\]0", expect = ACCEPTABLE, desc = "The first was quicker.")
@Outcome(id = "ENQUEUED, ACQUIRED, 2\\[1\\]0", expect = ACCEPTABLE, desc = "The second was quicker.")
@Outcome(id = "ACQUIRED, ACQUIRED, .*", expect = FORBIDDEN, desc = "Two holders.")
@Outcome(expect = FORBIDDEN, desc = "An offset is lost.")
@State
public class AcquireVersusAcquire {
    private final Workers workers;

    public AcquireVersusAcquire() {
        this(LeaseFactory.TIDEGATE);
    }

    protected AcquireVersusAcquire(LeaseFactory factory) {
        workers = new Workers(factory);
    }

    @Actor
    public void first(LLL_Result result) {
        result.r1 = workers.acquire(1);
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
