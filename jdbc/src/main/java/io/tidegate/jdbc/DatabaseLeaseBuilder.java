package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

import io.tidegate.jdbc.Engine.Commit;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;

final class DatabaseLeaseBuilder implements JdbcWorkLease.Builder {
    private static final Duration SHORTEST = Duration.ofMillis(1);

    /** Fits into the number type that each database has for a lock time-out. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(1);

    private final DataSource dataSource;
    private final String name;
    private final int maxRetries;
    private int maxBacklog = Integer.MAX_VALUE;
    private String owner = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
    private Duration duration = Duration.ofSeconds(JdbcWorkLease.DEFAULT_LEASE_SECONDS);
    private Duration lockTimeout = Duration.ofSeconds(JdbcWorkLease.DEFAULT_LOCK_TIMEOUT_SECONDS);

    DatabaseLeaseBuilder(DataSource dataSource, String name, int maxRetries) {
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries: " + maxRetries + " (expected: >= 0)");
        }
        this.dataSource = requireNonNull(dataSource, "dataSource");
        this.name = Names.requireLease(name);
        this.maxRetries = maxRetries;
    }

    @Override
    public JdbcWorkLease.Builder owner(String owner) {
        this.owner = Names.require("owner", owner);
        return this;
    }

    @Override
    public JdbcWorkLease.Builder leaseDuration(Duration duration) {
        this.duration = requireBetween("duration", duration, LeaseTerms.LONGEST);
        return this;
    }

    @Override
    public JdbcWorkLease.Builder lockTimeout(Duration timeout) {
        this.lockTimeout = requireBetween("timeout", timeout, LONGEST_WAIT);
        return this;
    }

    @Override
    public JdbcWorkLease.Builder maxBacklog(int offsets) {
        if (offsets < 1) {
            throw new IllegalArgumentException("offsets: " + offsets + " (expected: >= 1)");
        }
        this.maxBacklog = offsets;
        return this;
    }

    private static Duration requireBetween(String what, Duration duration, Duration longest) {
        if (requireNonNull(duration, what).compareTo(SHORTEST) < 0 || duration.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    what + ": " + duration + " (expected: >= " + SHORTEST + ", <= " + longest + ")");
        }
        return duration;
    }

    @Override
    public JdbcWorkLease build() {
        Engine engine = new Transactions(dataSource, Commit.AFTERWARDS).run(connection -> {
            Engine found = Schema.engineOf(connection);
            Schema.check(connection, Schema.LEASE);
            found.checkDurable(connection);
            return found;
        });
        LeaseTerms terms =
                new LeaseTerms(name, owner, duration.toMillis(), maxRetries, maxBacklog, lockTimeout.toMillis(), false);
        return new DatabaseLease(engine, new Transactions(dataSource, engine.commit()), terms);
    }
}
