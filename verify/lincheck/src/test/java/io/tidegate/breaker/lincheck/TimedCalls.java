package io.tidegate.breaker.lincheck;

import io.tidegate.breaker.Counts;
import io.tidegate.breaker.State;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Calls while time passes, with checks of the reported changes and of the counts. */
@Param(name = "caller", gen = IntGen.class, conf = "0:2")
public class TimedCalls {
    private final BreakerCallers callers = new BreakerCallers();
    private final Gate openings = new Gate();
    private final Gate calls = new Gate();

    @Operation
    public boolean begin(@Param(name = "caller") int caller) {
        return calls.together(() -> callers.begin(caller));
    }

    @Operation
    public boolean succeed(@Param(name = "caller") int caller) {
        return calls.together(() -> callers.succeed(caller));
    }

    @Operation
    public boolean fail(@Param(name = "caller") int caller) {
        return calls.together(() -> openings.together(() -> callers.fail(caller)));
    }

    @Operation
    public void tick() {
        openings.alone(() -> {
            callers.tick();
            return true;
        });
    }

    /** Returns the state, unless the counts that are read before it contradict each other. */
    @Operation
    public State state() {
        Counts counts = callers.breaker.counts();
        if (!isConsistent(counts)) {
            throw new IllegalStateException(counts.toString());
        }
        return callers.breaker.state();
    }

    private static boolean isConsistent(Counts counts) {
        return counts.totalSuccesses() + counts.totalFailures() <= counts.requests()
                && counts.consecutiveSuccesses() <= counts.totalSuccesses()
                && counts.consecutiveFailures() <= counts.totalFailures()
                && (counts.consecutiveSuccesses() == 0 || counts.consecutiveFailures() == 0);
    }

    /**
     * Returns the reported state changes, requests, successes and failures, once no call is about to begin or to end.
     */
    @Operation
    public List<Long> atRest() {
        return calls.alone(() -> {
            Counts counts = callers.breaker.counts();
            return List.of(callers.reported.get(), counts.requests(), counts.totalSuccesses(), counts.totalFailures());
        });
    }
}
