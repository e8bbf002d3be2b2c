package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

import io.tidegate.cluster.CapStore;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Caps that the processes of a cluster share through PostgreSQL, for {@link io.tidegate.cluster.ClusterBulkhead}.
 *
 * <p>Each operation takes a connection, makes one round trip, and gives the connection back unchanged. What was
 * answered is durable. When the database cannot be reached, or the answer is lost, {@link JdbcLeaseException} is
 * thrown. Thread-safe. Give the connections a time-out well below the lease.
 */
public final class JdbcCapStore implements CapStore {
    private final Transactions transactions;

    private JdbcCapStore(DataSource dataSource) {
        this.transactions = new Transactions(dataSource, Engine.Commit.AUTOMATICALLY);
    }

    /**
     * Returns caps in this database. Checks the database once. {@link JdbcWorkLease#migrate} creates the tables.
     *
     * @throws JdbcLeaseException when the tables are missing or too old, or the database cannot be reached
     * @throws IllegalArgumentException when it is not PostgreSQL
     */
    public static JdbcCapStore of(DataSource dataSource) {
        new Transactions(requireNonNull(dataSource, "dataSource"), Engine.Commit.AFTERWARDS).run(connection -> {
            String product = connection.getMetaData().getDatabaseProductName();
            if (!product.equals("PostgreSQL")) {
                throw new IllegalArgumentException("dataSource: " + product + " (expected: PostgreSQL)");
            }
            Schema.check(connection, Schema.CLUSTER);
            return product;
        });
        return new JdbcCapStore(dataSource);
    }

    @Override
    public Share claim(Claim claim) {
        Names.require("bulkhead", claim.bulkhead());
        Names.require("owner", claim.owner());
        return transactions.run(connection -> {
            try (PreparedStatement call = connection.prepareStatement(
                    "call tidegate_claim(?, ?, ?, ?, ?, ?, ?, ?, ?, null, null, null, null)")) {
                call.setString(1, claim.bulkhead());
                call.setString(2, claim.owner());
                call.setLong(3, claim.number());
                call.setInt(4, claim.firstCap());
                call.setInt(5, claim.slice());
                call.setInt(6, claim.inUse());
                call.setInt(7, claim.need());
                call.setBoolean(8, claim.exact());
                call.setLong(9, claim.leaseMillis());
                return share(call);
            }
        });
    }

    private static Share share(PreparedStatement call) throws SQLException {
        try (ResultSet row = call.executeQuery()) {
            row.next();
            return new Share(row.getInt("granted"), row.getInt("goal"), row.getInt("cap"), row.getLong("wait_millis"));
        }
    }

    @Override
    public void leave(String bulkhead, String owner) {
        Names.require("bulkhead", bulkhead);
        Names.require("owner", owner);
        transactions.run(connection -> {
            try (PreparedStatement call = connection.prepareStatement("select tidegate_leave_cap(?, ?)")) {
                call.setString(1, bulkhead);
                call.setString(2, owner);
                return call.execute();
            }
        });
    }

    @Override
    public void setCap(String bulkhead, int cap) {
        Names.require("bulkhead", bulkhead);
        if (cap < 1) {
            throw new IllegalArgumentException("cap: " + cap + " (expected: >= 1)");
        }
        transactions.run(connection -> {
            try (PreparedStatement call = connection.prepareStatement("select tidegate_set_cap(?, ?)")) {
                call.setString(1, bulkhead);
                call.setInt(2, cap);
                return call.execute();
            }
        });
    }

    @Override
    public boolean delete(String bulkhead) {
        Names.require("bulkhead", bulkhead);
        return transactions.run(connection -> {
            try (PreparedStatement call = connection.prepareStatement("select tidegate_delete_cap(?)")) {
                call.setString(1, bulkhead);
                try (ResultSet row = call.executeQuery()) {
                    return row.next() && row.getBoolean(1);
                }
            }
        });
    }

    @Override
    public Optional<Division> inspect(String bulkhead) {
        Names.require("bulkhead", bulkhead);
        return transactions.run(connection -> {
            try (PreparedStatement query = connection.prepareStatement("""
                    select c.cap, s.owner, s.slice, s.held, s.need, s.lease_until - n.millis as left_millis
                    from (select tidegate_now() as millis) n cross join tidegate_cap c
                        left join tidegate_slice s on s.name = c.name and s.lease_until > n.millis
                    where c.name = ? order by s.owner collate "C"
                    """)) {
                query.setString(1, bulkhead);
                return division(query);
            }
        });
    }

    private static Optional<Division> division(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            if (!row.next()) {
                return Optional.empty();
            }
            int cap = row.getInt("cap");
            List<Member> members = new ArrayList<>();
            do {
                String owner = row.getString("owner");
                if (owner != null) {
                    members.add(new Member(
                            owner,
                            row.getInt("slice"),
                            row.getInt("held"),
                            row.getInt("need"),
                            row.getLong("left_millis")));
                }
            } while (row.next());
            return Optional.of(new Division(cap, members));
        }
    }
}
