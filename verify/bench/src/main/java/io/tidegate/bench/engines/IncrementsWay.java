package io.tidegate.bench.engines;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.function.IntSupplier;

/** The floor of Redis: one or two increments of a domain's number, over the same kind of connection as Tidegate's. */
final class IncrementsWay implements Way {
    private final StatefulRedisConnection<String, String> connection;

    private final int increments;

    IncrementsWay(StatefulRedisConnection<String, String> connection, int increments) {
        this.connection = connection;
        this.increments = increments;
    }

    @Override
    public String label() {
        return increments == 1 ? "an increment of a field" : "two increments of a field";
    }

    @Override
    public boolean fits(int domains) {
        return true;
    }

    @Override
    public Running start(Load load) {
        return Workers.start(load, worker -> {
            IntSupplier domains = load.domainsOf(worker);
            return () -> {
                String key = "floor-" + domains.getAsInt();
                for (int i = 0; i < increments; i++) {
                    connection.sync().hincrby(key, "updates", 1);
                }
                return 1;
            };
        });
    }
}
