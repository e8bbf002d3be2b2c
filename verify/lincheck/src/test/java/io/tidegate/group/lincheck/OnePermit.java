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

    /** The same, with one that has the permit. */
    public static class Held extends OnePermit {
        public Held() {
            super(Setting.held(Setting.permits()));
        }
    }

    /** The same, with one that has the permit and one of the other group that waits for it. */
    public static class Taken extends OnePermit {
        public Taken() {
            super(Setting.taken(Setting.permits()));
        }
    }

    /** The same, with one that has the permit, and one of its own group that waits longer than one of the other. */
    public static class Wanted extends OnePermit {
        public Wanted() {
            super(Setting.wanted(Setting.permits()));
        }
    }
}
