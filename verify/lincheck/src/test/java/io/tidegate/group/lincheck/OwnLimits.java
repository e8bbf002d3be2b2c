package io.tidegate.group.lincheck;

import io.tidegate.group.Permits;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Four tasks of two groups that have limits of their own and share one threshold. */
@Param(name = "task", gen = IntGen.class, conf = "0:3")
@Param(name = "group", gen = IntGen.class, conf = "0:1")
public class OwnLimits {
    private final Permits permits = Setting.permits();

    @Operation
    public String admit(@Param(name = "task") int task) {
        return permits.admit(task);
    }

    @Operation
    public String end(@Param(name = "task") int task) {
        return permits.end(task);
    }

    @Operation
    public String endBody(@Param(name = "task") int task) {
        return permits.endBody(task);
    }

    @Operation
    public String endFlight(@Param(name = "task") int task) {
        return permits.endFlight(task);
    }

    @Operation
    public boolean withdraw(@Param(name = "task") int task) {
        return permits.withdraw(task);
    }

    @Operation
    public String counts(@Param(name = "group") int group) {
        return permits.counts(group);
    }
}
