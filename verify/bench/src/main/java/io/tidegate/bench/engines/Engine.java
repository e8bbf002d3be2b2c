package io.tidegate.bench.engines;

import io.tidegate.servers.ServerPorts;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiConsumer;

/** A running engine. */
interface Engine extends AutoCloseable {
    ServerPorts PORTS = new ServerPorts(26_000, 2_000);

    /** Returns the name, with the version. */
    String name();

    /** Returns what is on the disk before the engine answers, as its settings say. */
    String durability();

    /** Returns the port; empty for an engine inside the process. */
    OptionalInt port();

    /**
     * Connects all ways to do cycles.
     *
     * @param port where to connect to, if the engine listens at all
     */
    Contest connect(int port);

    /**
     * Connects all ways to claim permits of a shared cap, for each of these numbers of members. The floor comes first:
     * one write of a row that all write.
     */
    default Contest connectToClaim(List<Integer> members) {
        throw new UnsupportedOperationException(name() + " has no shared caps");
    }

    @Override
    void close();

    /** All ways to do cycles on an engine, over open connections. */
    interface Contest extends AutoCloseable {
        /** Returns all ways, the floor first. */
        List<Way> ways();

        /**
         * Makes so many domains at once, with one processed offset in each, for all ways that are measured on so many.
         */
        void load(int domains);

        @Override
        void close();
    }

    /**
     * A contest with these ways, a function that makes the domains for one way, and one that closes the connections.
     */
    record OpenContest(List<Way> ways, BiConsumer<LeaseWay, Integer> loading, Runnable closing) implements Contest {
        @Override
        public void load(int domains) {
            for (Way way : ways) {
                if (way instanceof LeaseWay leases && leases.fits(domains)) {
                    loading.accept(leases, domains);
                }
            }
        }

        @Override
        public void close() {
            closing.run();
        }
    }
}
