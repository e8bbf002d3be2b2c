package io.tidegate.remote.lincheck;

import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Broken on purpose: the cap changes by way of 1, and everybody can see that. */
public class TwoStepRequests extends Requests {
    @Operation
    @Override
    public void setMaxInFlight(@Param(name = "cap") int cap) {
        super.setMaxInFlight(1);
        super.setMaxInFlight(cap);
    }
}
