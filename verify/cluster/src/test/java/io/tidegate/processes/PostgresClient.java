package io.tidegate.processes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.SharedWorkLease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;

/** Leases in PostgreSQL, through a pool of few connections. */
final class PostgresClient implements Client {
    /** By which {@link Twin#CLIENT_CLOCK} tells the server what the time is. */
    static final String CLOCK_AHEAD = "tidegate.clock_ahead";

    private final HikariDataSource pool;
    private final SharedWorkLease lease;

    PostgresClient(Order order) {
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

    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable&gssEncMode=disable";
    }

    private static HikariConfig config(Order order) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url(order.port()) + "&socketTimeout=" + Math.ceilDiv(order.waitMillis(), 1_000)
                + "&currentSchema=" + order.store() + twin(order));
        config.setMaximumPoolSize(order.connections());
        config.setConnectionTimeout(order.waitMillis());
        config.setValidationTimeout(order.waitMillis());
        config.setInitializationFailTimeout(-1);
        return config;
    }

    private static String twin(Order order) {
        return order.twin() == Twin.CLIENT_CLOCK ? "&options=-c%20" + CLOCK_AHEAD + "=" + order.clockAheadMillis() : "";
    }

    private void remember(String domainId, long offset) {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement("insert into tidegate_processed"
                        + " select id, ?, ?, ?, '' from tidegate_domain where name = ? on conflict do nothing")) {
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
