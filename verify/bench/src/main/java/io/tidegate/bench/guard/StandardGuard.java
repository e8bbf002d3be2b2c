package io.tidegate.bench.guard;

import io.tidegate.guard.Guard;

/** The guard for most calls: two time limits, a retry with a budget, a breaker with a window, and a bulkhead. */
public class StandardGuard extends CallBenchmark {
    private final Guard guard = Guard.standard(NAME);

    @Override
    void build(boolean limited) {}

    @Override
    String call() throws Exception {
        return guard.call(working);
    }
}
