package io.tidegate.processes;

import com.zaxxer.hikari.HikariConfig;

/** Leases in MariaDB. */
final class MariaDbClient extends DatabaseClient {
    /** The variable by which {@link Twin#CLIENT_CLOCK} passes its time to the server. */
    static final String CLOCK_AHEAD = "@tidegate_clock_ahead";

    private static final String REMEMBERING =
            "insert ignore into tidegate_processed select id, ?, ?, ?, '' from tidegate_domain where name = ?";

    MariaDbClient(Order order) {
        super(order, config(order), REMEMBERING);
    }

    static String url(int port, String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&sslMode=disable";
    }

    private static HikariConfig config(Order order) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(order.port(), order.store()) + "&socketTimeout=" + order.waitMillis());
        if (order.twin() == Twin.CLIENT_CLOCK) {
            config.setConnectionInitSql("set " + CLOCK_AHEAD + " = " + order.clockAheadMillis());
        }
        return config;
    }
}
