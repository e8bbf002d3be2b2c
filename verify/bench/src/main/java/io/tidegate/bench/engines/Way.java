package io.tidegate.bench.engines;

/** A way of doing cycles on an engine: the right to work on a domain is taken and given back, and both are kept by the engine. */
interface Way {
    /** Who does it. */
    String label();

    /** How many domains a worker asks for at once. */
    default int batch() {
        return 1;
    }

    /** Begins. */
    Running start(Load load);
}
