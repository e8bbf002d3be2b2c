package io.tidegate.bench.engines;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.function.IntSupplier;

/** The floor of Redis: two increments of a domain's number, over the connection that Tidegate has. */
final class IncrementsWay implements Way {
    private final StatefulRedisConnection<String, String> connection;

    IncrementsWay(StatefulRedisConnection<String, String> connection) {
        this.connection = connection;
    }

    @Override
    public String label() {
        return "two increments of a field";
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
                connection.sync().hincrby(key, "updates", 1);
                connection.sync().hincrby(key, "updates", 1);
                return 1;
            };
        });
    }
}
