package io.tidegate.breaker.lincheck;

import io.tidegate.breaker.State;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Calls that begin and end while the time stands still: few enough operations to try many of their schedules. */
@Param(name = "caller", gen = IntGen.class, conf = "0:2")
public class Calls {
    private final BreakerCallers callers = new BreakerCallers();

    @Operation
    public boolean begin(@Param(name = "caller") int caller) {
        return callers.begin(caller);
    }

    @Operation
    public boolean succeed(@Param(name = "caller") int caller) {
        return callers.succeed(caller);
    }

    @Operation
    public boolean fail(@Param(name = "caller") int caller) {
        return callers.fail(caller);
    }

    @Operation
    public State state() {
        return callers.breaker.state();
    }
}
