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

/** CB-8, CB-11: two failures that both trip. */
@JCStressTest
@Description(
        "CB-8, CB-11: failure | failure, each of which trips. States that the listener got, final state, generation.")
@Outcome(id = "OPEN, OPEN, 1", expect = ACCEPTABLE, desc = "One of them tripped, and was reported.")
@Outcome(id = ".*\\+.*", expect = FORBIDDEN, desc = "CB-11: reported twice.")
@Outcome(id = ".*, .*, 2", expect = FORBIDDEN, desc = "CB-8: two steps of the generation.")
@Outcome(expect = FORBIDDEN, desc = "CB-11: not tripped, or not reported.")
@State
public class TripVersusTrip {
    private final Callers callers;
    private final long one;
    private final long other;

    public TripVersusTrip() {
        this(BreakerFactory.TIDEGATE);
    }

    protected TripVersusTrip(BreakerFactory factory) {
        callers = new Callers(factory, 1);
        one = callers.breaker.tryAcquire();
        other = callers.breaker.tryAcquire();
    }

    @Actor
    public void first() {
        callers.fail(one);
    }

    @Actor
    public void second() {
        callers.fail(other);
    }

    @Arbiter
    public void look(LLL_Result result) {
        result.r1 = callers.changes.reported();
        result.r2 = callers.breaker.state();
        result.r3 = callers.breaker.metrics().generation();
    }
}
