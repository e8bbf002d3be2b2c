package io.tidegate.processes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.SharedWorkLease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;

/** Leases in MariaDB, through a pool of few connections. */
final class MariaDbClient implements Client {
    /** By which {@link Twin#CLIENT_CLOCK} tells the server what the time is. */
    static final String CLOCK_AHEAD = "@tidegate_clock_ahead";

    private final HikariDataSource pool;
    private final SharedWorkLease lease;

    MariaDbClient(Order order) {
        this.pool = new HikariDataSource(config(order));
        try {
            JdbcWorkLease ours = JdbcWorkLease.builder(pool, "cluster", order.maxRetries())
                    .owner(order.owner())
                    .leaseDuration(order.leaseDuration())
                    .build();
            this.lease = order.twin() == Twin.FINISH_IN_TWO_STEPS
                    ? new TwoStepFinish(ours, this::remember, new HashMap<>())
                    : ours;
        } catch (RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    static String url(int port, String database) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?user=root&sslMode=disable";
    }

    private static HikariConfig config(Order order) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(order.port(), order.store()) + "&socketTimeout=" + order.waitMillis());
        config.setMaximumPoolSize(order.connections());
        config.setConnectionTimeout(order.waitMillis());
        config.setValidationTimeout(order.waitMillis());
        config.setInitializationFailTimeout(-1);
        if (order.twin() == Twin.CLIENT_CLOCK) {
            config.setConnectionInitSql("set " + CLOCK_AHEAD + " = " + order.clockAheadMillis());
        }
        return config;
    }

    private void remember(String domainId, long offset) {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert ignore into tidegate_processed"
                        + " select id, ?, ?, ?, '' from tidegate_domain where name = ?")) {
            for (int column = 1; column <= 3; column++) {
                insert.setLong(column, offset);
            }
            insert.setString(4, domainId);
            insert.execute();
        } catch (SQLException failed) {
            throw new TwoStepFinish.Interrupted(failed);
        }
    }

    @Override
    public SharedWorkLease lease() {
        return lease;
    }

    @Override
    public void close() {
        pool.close();
    }
}
