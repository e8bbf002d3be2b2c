package io.tidegate.bench;

/** One contestant in one row on a number of threads: what JMH measures in one run. */
record Case(Row row, Contestant contestant, int threads) {
    /** Returns JMH's name of the benchmark. */
    String benchmark() {
        return contestant.benchmarks().getCanonicalName() + "." + row.method();
    }

    @Override
    public String toString() {
        return row.work() + " · " + contestant.label() + " · t" + threads;
    }
}
