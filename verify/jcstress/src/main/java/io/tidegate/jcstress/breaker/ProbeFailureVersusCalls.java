package io.tidegate.jcstress.breaker;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tidegate.breaker.broken.BreakerFactory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IL_Result;

/**
 * CB-7, CB-8: the probe that holds the only slot fails while two calls arrive: its slot ends with the half-open period.
 */
@JCStressTest
@Description("CB-7, CB-8: probe fails | two calls, at limit 1. Calls admitted, state at the end.")
@Outcome(id = "0, OPEN", expect = ACCEPTABLE, desc = "Refused as one too many, or as open.")
@Outcome(id = ".*, OPEN", expect = FORBIDDEN, desc = "CB-8: the slot was free before the breaker was open.")
@Outcome(expect = FORBIDDEN, desc = "CB-7: not open after a probe that failed.")
@State
public class ProbeFailureVersusCalls {
    private final Callers callers;
    private final long probe;

    public ProbeFailureVersusCalls() {
        this(BreakerFactory.TIDEGATE);
    }

    protected ProbeFailureVersusCalls(BreakerFactory factory) {
        callers = new Callers(factory, 1);
        callers.trip();
        callers.passOpenTime();
        probe = callers.breaker.tryAcquire();
    }

    @Actor
    public void failure() {
        callers.fail(probe);
    }

    @Actor
    public void calls(IL_Result result) {
        result.r1 = callers.admittedOfTwo();
    }

    @Arbiter
    public void look(IL_Result result) {
        result.r2 = callers.breaker.state();
    }
}
