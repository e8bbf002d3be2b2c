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
import org.openjdk.jcstress.infra.results.LLL_Result;

/** CB-8, CB-9, CB-12: a call begins and ends while another one trips. The time stands still, so no call may probe. */
@JCStressTest
@Description("CB-8, CB-9, CB-12: failure that trips | call that succeeds. The call's answer, final state and requests.")
@Outcome(id = "admitted, OPEN, 0", expect = ACCEPTABLE, desc = "Begun before the trip; ended before it, or late.")
@Outcome(id = "refused, OPEN, 0", expect = ACCEPTABLE, desc = "Came after the trip.")
@Outcome(id = ".*, OPEN, .*", expect = FORBIDDEN, desc = "CB-9, CB-12: counted in the generation after its own.")
@Outcome(expect = FORBIDDEN, desc = "CB-8: a probe before the open time was over.")
@State
public class TripVersusCall {
    private final Callers callers;
    private final long failing;

    public TripVersusCall() {
        this(BreakerFactory.TIDEGATE);
    }

    protected TripVersusCall(BreakerFactory factory) {
        callers = new Callers(factory, 1);
        failing = callers.breaker.tryAcquire();
    }

    @Actor
    public void failure() {
        callers.fail(failing);
    }

    @Actor
    public void call(LLL_Result result) {
        long stamp = callers.breaker.tryAcquire();
        result.r1 = stamp > 0 ? "admitted" : "refused";
        if (stamp > 0) {
            callers.breaker.onSuccess(stamp);
        }
    }

    @Arbiter
    public void look(LLL_Result result) {
        result.r2 = callers.breaker.state();
        result.r3 = callers.breaker.counts().requests();
    }
}
