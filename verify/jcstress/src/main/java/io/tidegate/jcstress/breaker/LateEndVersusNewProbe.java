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
import org.openjdk.jcstress.infra.results.ILI_Result;

/**
 * CB-7, CB-8, CB-9: a call that was admitted before the breaker opened and a probe of the previous half-open period
 * succeed while the next half-open period begins.
 */
@JCStressTest
@Description(
        "CB-7, CB-8, CB-9: late successes of a call and of a probe | two calls when the open time is over, at limit 2. "
                + "Probes admitted, the state, and how many more are admitted at the end.")
@Outcome(id = "2, HALF_OPEN, 0", expect = ACCEPTABLE, desc = "As many probes as allowed; nothing else has changed.")
@Outcome(id = ".*, CLOSED, .*", expect = FORBIDDEN, desc = "CB-9: closed by a late success.")
@Outcome(id = "2, HALF_OPEN, .*", expect = FORBIDDEN, desc = "CB-7: more probes than allowed.")
@Outcome(expect = FORBIDDEN, desc = "CB-8: a slot that was taken in an earlier period.")
@State
public class LateEndVersusNewProbe {
    private final Callers callers;
    private final long lateCall;
    private final long lateProbe;

    public LateEndVersusNewProbe() {
        this(BreakerFactory.TIDEGATE);
    }

    protected LateEndVersusNewProbe(BreakerFactory factory) {
        callers = new Callers(factory, 2);
        lateCall = callers.breaker.tryAcquire();
        callers.trip();
        callers.passOpenTime();
        long failing = callers.breaker.tryAcquire();
        lateProbe = callers.breaker.tryAcquire();
        callers.fail(failing);
        callers.passOpenTime();
    }

    @Actor
    public void lateEnds() {
        callers.breaker.onSuccess(lateCall);
        callers.breaker.onSuccess(lateProbe);
    }

    @Actor
    public void newProbes(ILI_Result result) {
        result.r1 = callers.admittedOfTwo();
    }

    @Arbiter
    public void look(ILI_Result result) {
        result.r2 = callers.breaker.state();
        result.r3 = callers.admittedOfTwo();
    }
}
