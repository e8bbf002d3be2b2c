package io.tidegate.processes;

import com.zaxxer.hikari.HikariConfig;

/** Leases in PostgreSQL. */
final class PostgresClient extends DatabaseClient {
    /** The setting by which {@link Twin#CLIENT_CLOCK} passes its time to the server. */
    static final String CLOCK_AHEAD = "tidegate.clock_ahead";

    private static final String REMEMBERING = "insert into tidegate_processed"
            + " select id, ?, ?, ?, '' from tidegate_domain where name = ? on conflict do nothing";

    PostgresClient(Order order) {
        super(order, config(order), REMEMBERING);
    }

    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable&gssEncMode=disable";
    }

    private static HikariConfig config(Order order) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(order.port()) + "&socketTimeout=" + Math.ceilDiv(order.waitMillis(), 1_000)
                + "&currentSchema=" + order.store() + twin(order));
        return config;
    }

    private static String twin(Order order) {
        return order.twin() == Twin.CLIENT_CLOCK ? "&options=-c%20" + CLOCK_AHEAD + "=" + order.clockAheadMillis() : "";
    }
}
