package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

import io.tidegate.jdbc.Engine.Commit;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;

final class DatabaseLeaseBuilder implements JdbcWorkLease.Builder {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final DataSource dataSource;
    private final int maxRetries;
    private String owner = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    private Duration duration = Duration.ofSeconds(JdbcWorkLease.DEFAULT_LEASE_SECONDS);

    DatabaseLeaseBuilder(DataSource dataSource, int maxRetries) {
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries: " + maxRetries + " (expected: >= 0)");
        }
        this.dataSource = requireNonNull(dataSource, "dataSource");
        this.maxRetries = maxRetries;
    }

    @Override
    public JdbcWorkLease.Builder owner(String owner) {
        this.owner = Names.require("owner", owner);
        return this;
    }

    @Override
    public JdbcWorkLease.Builder leaseDuration(Duration duration) {
        if (requireNonNull(duration, "duration").compareTo(SHORTEST) < 0 || duration.compareTo(Terms.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "duration: " + duration + " (expected: >= " + SHORTEST + ", <= " + Terms.LONGEST + ")");
        }
        this.duration = duration;
        return this;
    }

    @Override
    public JdbcWorkLease build() {
        Engine engine = new Transactions(dataSource, Commit.AFTERWARDS).run(connection -> {
            Engine found = Schema.engineOf(connection);
            Schema.check(connection, Schema.LEASE);
            found.checkDurable(connection);
            return found;
        });
        Terms terms = new Terms(owner, duration.toMillis(), maxRetries);
        return new DatabaseLease(engine, new Transactions(dataSource, engine.commit()), terms);
    }
}
