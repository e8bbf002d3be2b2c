package io.tidegate.bench.guard;

import io.tidegate.guard.Guard;

/** The guard that most calls want: two limits, a retry with a budget, a breaker with a window, a bulkhead. */
public class StandardGuard extends CallBenchmark {
    private final Guard guard = Guard.standard(NAME);

    @Override
    void build(boolean limited) {}

    @Override
    String call() throws Exception {
        return guard.call(working);
    }
}
