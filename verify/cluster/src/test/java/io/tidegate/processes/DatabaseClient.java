package io.tidegate.processes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/** Leases in a database, through a small pool of connections, which tasks use, too. */
class DatabaseClient implements Client, Books {
    private final HikariDataSource pool;
    private final String remembering;
    private final JdbcWorkLease ours;
    private final SharedWorkLease lease;
    private final SharedWorkLease sideLeases;

    /**
     * Connects for an order.
     *
     * @param remembering the statement that {@link Twin#FINISH_IN_TWO_STEPS} runs afterwards
     */
    DatabaseClient(Order order, HikariConfig config, String remembering) {
        config.setMaximumPoolSize(order.connections());
        config.setConnectionTimeout(order.waitMillis());
        config.setValidationTimeout(order.waitMillis());
        config.setInitializationFailTimeout(-1);
        this.pool = new HikariDataSource(config);
        this.remembering = remembering;
        try {
            this.ours = leases(order, "cluster");
            this.sideLeases = leases(order, SideLeases.NAME);
            this.lease = order.twin() == Twin.FINISH_IN_TWO_STEPS
                    ? new TwoStepFinish(ours, this::remember, new HashMap<>())
                    : ours;
        } catch (RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    private JdbcWorkLease leases(Order order, String name) {
        return JdbcWorkLease.builder(pool, name, order.maxRetries())
                .owner(order.owner())
                .leaseDuration(order.leaseDuration())
                .build();
    }

    private void remember(String domainId, long offset) {
        try (Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(remembering)) {
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
    public SharedWorkLease sideLeases() {
        return sideLeases;
    }

    @Override
    public Optional<Books> books() {
        return Optional.of(this);
    }

    @Override
    public SucceedResult book(Entry entry, Step step) {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            try {
                insert(connection, entry);
                SucceedResult answer = step.succeed(ours, connection);
                connection.commit();
                return answer;
            } catch (RuntimeException | SQLException refused) {
                connection.rollback();
                throw refused;
            }
        } catch (SQLException away) {
            throw new Away(away);
        }
    }

    private static void insert(Connection connection, Entry entry) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("insert into booked values (?, ?, ?)")) {
            insert.setString(1, entry.domainId());
            insert.setLong(2, entry.offset());
            insert.setLong(3, entry.fence());
            insert.executeUpdate();
        }
    }

    @Override
    public List<Entry> entries() {
        try (Connection connection = pool.getConnection();
                Statement query = connection.createStatement();
                ResultSet row = query.executeQuery("select domain_id, work_offset, fence from booked")) {
            List<Entry> entries = new ArrayList<>();
            while (row.next()) {
                entries.add(new Entry(row.getString(1), row.getLong(2), row.getLong(3)));
            }
            return entries;
        } catch (SQLException away) {
            throw new Away(away);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
