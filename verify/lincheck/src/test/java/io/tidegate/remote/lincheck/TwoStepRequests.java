package io.tidegate.remote.lincheck;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/**
 * Broken on purpose: the cap first changes to 1 and then to its new value, and other threads can see the step between.
 */
public class TwoStepRequests extends Requests {
    @Operation
    @Override
    public void setMaxInFlight(@Param(name = "cap") int cap) {
        super.setMaxInFlight(1);
        super.setMaxInFlight(cap);
    }
}
