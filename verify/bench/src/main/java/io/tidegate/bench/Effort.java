package io.tidegate.bench;

import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How long to measure. Every case is measured once in each round, in a separate JVM. So the cases are spread over the
 * same stretch of time, and another program's load disturbs some samples of every case instead of all samples of one.
 */
enum Effort {
    QUICK(1, 3, 3),
    FULL(3, 6, 6);

    static final TimeValue ITERATION = TimeValue.milliseconds(300);

    final int rounds;
    final int warmups;
    final int iterations;

    Effort(int rounds, int warmups, int iterations) {
        this.rounds = rounds;
        this.warmups = warmups;
        this.iterations = iterations;
    }

    String describe() {
        return rounds + (rounds == 1 ? " JVM" : " JVMs") + " for each number, in each " + warmups + " + " + iterations
                + " iterations of " + ITERATION;
    }
}
