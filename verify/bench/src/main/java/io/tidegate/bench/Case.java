package io.tidegate.bench;

/** One contestant at one row's work on a number of threads: what JMH measures at a time. */
record Case(Row row, Contestant contestant, int threads) {
    /** The benchmark's name as JMH has it. */
    String benchmark() {
        return contestant.benchmarks().getCanonicalName() + "." + row.method();
    }

    @Override
    public String toString() {
        return row.work() + " · " + contestant.label() + " · t" + threads;
    }
}
