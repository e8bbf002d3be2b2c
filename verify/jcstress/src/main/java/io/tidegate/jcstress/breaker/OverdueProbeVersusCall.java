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
import org.openjdk.jcstress.infra.results.ILJ_Result;

/** CB-7, CB-8, CB-10: a probe whose time is over fails while a call takes its slot: one of the two comes too late. */
@JCStressTest
@Description("CB-7, CB-8, CB-10: overdue probe fails | two calls, at limit 1. Admitted calls, state, late outcomes.")
@Outcome(id = "1, HALF_OPEN, 1", expect = ACCEPTABLE, desc = "One call has the slot, and the failure is late.")
@Outcome(id = "0, OPEN, 0", expect = ACCEPTABLE, desc = "The failure has opened the breaker, and nobody has the slot.")
@Outcome(id = "., OPEN, .", expect = FORBIDDEN, desc = "CB-10: opened by a probe whose slot was taken.")
@Outcome(expect = FORBIDDEN, desc = "CB-7: a slot for two, or for nobody.")
@State
public class OverdueProbeVersusCall {
    private final Callers callers;
    private final long overdue;

    public OverdueProbeVersusCall() {
        this(BreakerFactory.TIDEGATE);
    }

    protected OverdueProbeVersusCall(BreakerFactory factory) {
        callers = new Callers(factory, 1);
        callers.trip();
        callers.passOpenTime();
        overdue = callers.breaker.tryAcquire();
        callers.passOpenTime();
    }

    @Actor
    public void failure() {
        callers.fail(overdue);
    }

    @Actor
    public void calls(ILJ_Result result) {
        result.r1 = callers.admittedOfTwo();
    }

    @Arbiter
    public void look(ILJ_Result result) {
        result.r2 = callers.breaker.state();
        result.r3 = callers.breaker.metrics().late();
    }
}
