package io.tidegate.bench.engines;

/**
 * A way of doing cycles on an engine: the right to work on a domain is taken and given back, and both are kept by the
 * engine.
 */
interface Way {
    /** The contestant. */
    String label();

    /** How many domains a worker asks for at once. */
    default int batch() {
        return 1;
    }

    /** Whether it is measured on so many domains. One is not asked for in batches, and of many only the simplest. */
    default boolean fits(int domains) {
        return domains <= Throughput.DOMAINS;
    }

    /** Begins. */
    Running start(Load load);
}
