package io.tidegate.bench.engines;

/**
 * A way to do cycles on an engine: the right to work on a domain is taken and given back, and the engine stores both.
 */
interface Way {
    /** Returns the name of the contestant. */
    String label();

    /** How many domains a worker asks for at once. */
    default int batch() {
        return 1;
    }

    /**
     * Whether this way is measured on so many domains. Batches are not measured on one domain, and only the simplest
     * ways on many.
     */
    default boolean fits(int domains) {
        return domains <= Throughput.DOMAINS;
    }

    /** Starts the workers. */
    Running start(Load load);
}
