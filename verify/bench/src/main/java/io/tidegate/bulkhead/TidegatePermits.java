package io.tidegate.bulkhead;

import io.tidegate.bench.bulkhead.PermitBenchmark;
import org.jspecify.annotations.NullMarked;

/** Tidegate's own permits as a contestant; in this package because they are not public. */
@NullMarked
public class TidegatePermits extends PermitBenchmark {
    private final Permits permits = new Permits(LIMIT);

    @Override
    protected boolean tryTake() {
        return permits.tryTake();
    }

    @Override
    protected boolean takeAndGiveBack() {
        boolean taken = permits.tryTake();
        if (taken) {
            permits.giveBack();
        }
        return taken;
    }
}
