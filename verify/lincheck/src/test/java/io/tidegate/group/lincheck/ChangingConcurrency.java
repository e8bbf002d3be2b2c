package io.tidegate.group.lincheck;

import io.tidegate.group.Permits;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** A group whose concurrency changes, with one task that runs and one that waits for it. */
@Param(name = "task", gen = IntGen.class, conf = "0:2")
@Param(name = "limit", gen = IntGen.class, conf = "1:2")
public class ChangingConcurrency {
    private final Permits permits = Setting.full(Setting.permits());

    @Operation
    public String comeOrGo(@Param(name = "task") int task) {
        return permits.comeOrGo(task);
    }

    @Operation
    public boolean withdraw(@Param(name = "task") int task) {
        return permits.withdraw(task);
    }

    @Operation
    public String setConcurrency(@Param(name = "limit") int limit) {
        return permits.setConcurrency(0, limit);
    }
}
