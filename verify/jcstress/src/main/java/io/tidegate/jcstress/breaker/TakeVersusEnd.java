package io.tidegate.jcstress.breaker;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.tidegate.breaker.broken.BreakerFactory;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Description;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** CB-7, CB-8: two calls ask for the one free slot, and the probe in the other slot fails. */
@JCStressTest
@Description("CB-7, CB-8: call, then probe fails | call, at limit 2. Whether each call was admitted.")
@Outcome(
        id = {"true, false", "false, true"},
        expect = ACCEPTABLE,
        desc = "One had the slot; the other was refused for it, or came after the end.")
@Outcome(id = "false, false", expect = FORBIDDEN, desc = "CB-8: refused for a take that does not stand.")
@Outcome(expect = FORBIDDEN, desc = "CB-7: more probes than allowed.")
@State
public class TakeVersusEnd {
    private final Callers callers;
    private final long probe;

    public TakeVersusEnd() {
        this(BreakerFactory.TIDEGATE);
    }

    protected TakeVersusEnd(BreakerFactory factory) {
        callers = new Callers(factory, 2);
        callers.trip();
        callers.passOpenTime();
        probe = callers.breaker.tryAcquire();
    }

    @Actor
    public void callAndFailure(ZZ_Result result) {
        result.r1 = callers.breaker.tryAcquire() > 0;
        callers.fail(probe);
    }

    @Actor
    public void call(ZZ_Result result) {
        result.r2 = callers.breaker.tryAcquire() > 0;
    }
}
