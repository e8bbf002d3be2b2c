package io.tidegate.bench.engines;

import io.tidegate.servers.ServerPorts;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiConsumer;

/** A running engine. */
interface Engine extends AutoCloseable {
    ServerPorts PORTS = new ServerPorts(26_000, 2_000);

    /** With its version. */
    String name();

    /** What is on the disk before an answer is given, as the engine itself is set. */
    String durability();

    /** Where it listens; nowhere if it is inside the process. */
    OptionalInt port();

    /** What the ways of doing cycles need.
     *
     * @param port where to connect to, if it listens at all
     */
    Contest connect(int port);

    /** What claims of a shared cap need, by so many members each; the floor first, one write of what all write. */
    default Contest connectToClaim(List<Integer> members) {
        throw new UnsupportedOperationException(name() + " has no shared caps");
    }

    @Override
    void close();

    /** All ways of doing cycles on an engine, over connections that are open. */
    interface Contest extends AutoCloseable {
        /** The floor first. */
        List<Way> ways();

        /**
         * Makes so many domains at once, in each of which one offset is done, for all ways that are measured on so
         * many.
         */
        void load(int domains);

        @Override
        void close();
    }

    /** Such ways, what loads one of them with domains, and what closes the connections. */
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
