package io.tidegate.group.lincheck;

import io.tidegate.group.Permits;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Three tasks of two groups that share one permit. */
@Param(name = "task", gen = IntGen.class, conf = "0:2")
public class OnePermit {
    private final Permits permits;

    public OnePermit() {
        this(Setting.permits());
    }

    private OnePermit(Permits permits) {
        this.permits = permits;
    }

    @Operation
    public String comeOrGo(@Param(name = "task") int task) {
        return permits.comeOrGo(task);
    }

    @Operation
    public boolean withdraw(@Param(name = "task") int task) {
        return permits.withdraw(task);
    }

    /** The same tasks; one of them has the permit from the start. */
    public static class Held extends OnePermit {
        public Held() {
            super(Setting.held(Setting.permits()));
        }
    }

    /** The same tasks; from the start one has the permit, and one of the other group waits for it. */
    public static class Taken extends OnePermit {
        public Taken() {
            super(Setting.taken(Setting.permits()));
        }
    }

    /**
     * The same tasks; from the start one has the permit, one of its own group waits, and one of the other group has
     * waited less long.
     */
    public static class Wanted extends OnePermit {
        public Wanted() {
            super(Setting.wanted(Setting.permits()));
        }
    }
}
