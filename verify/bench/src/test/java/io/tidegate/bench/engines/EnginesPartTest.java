package io.tidegate.bench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.tidegate.bench.engines.Engine.Contest;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.WorkLease;
import io.tidegate.redis.RedisWorkLease;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A contestant must do its cycles: the engine has a record of each one. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EnginesPartTest {
    private static final int CYCLES = 30;
    private static final Load OWN_DOMAINS = new Load(3, 180);
    private static final Load ONE_DOMAIN = new Load(3, 1);

    @Test
    void postgres_everyWay_doesTheWork() throws Exception {
        try (Database postgres = Database.postgres()) {
            assertThat(postgres.durability()).isEqualTo("fsync on, synchronous_commit on");
            execute(postgres, "create sequence shedlock_write");
            execute(
                    postgres,
                    "create function count_write() returns trigger language plpgsql as"
                            + " $$ begin perform nextval('shedlock_write'); return null; end $$");
            execute(
                    postgres,
                    "create trigger write after insert or update on shedlock for each row execute function"
                            + " count_write()");
            assertDatabase(postgres);

            List<Double> roundTrips = RoundTrips.of(postgres, 20);
            assertThat(roundTrips.remove(1)).as("db-scheduler").isPositive();
            assertThat(roundTrips).containsExactly(2.0, 2.0, 2.0, 0.2, 0.04, 2.0, 1.02);
        }
    }

    @Test
    @Tag("long") // as on PostgreSQL, but with a server that takes long to start
    void mariaDb_everyWay_doesTheWork() throws Exception {
        try (Database mariaDb = Database.mariaDb()) {
            assertThat(mariaDb.durability()).isEqualTo("innodb_flush_log_at_trx_commit 1");
            execute(mariaDb, "create table shedlock_write (last_value bigint not null)");
            execute(mariaDb, "insert into shedlock_write values (0)");
            for (String event : List.of("insert", "update")) {
                execute(
                        mariaDb,
                        "create trigger count_" + event + " after " + event
                                + " on shedlock for each row update shedlock_write set last_value = last_value + 1");
            }
            assertDatabase(mariaDb);

            List<Double> roundTrips = RoundTrips.of(mariaDb, 20);
            assertThat(roundTrips.remove(1)).as("db-scheduler").isPositive();
            assertThat(roundTrips).containsExactly(2.0, 2.0, 2.0, 0.2, 0.04, 2.0, 1.02);
        }
    }

    @Test
    void h2_everyWay_doesTheWork() throws Exception {
        try (Database h2 = Database.h2()) {
            assertThat(h2.durability()).isEqualTo("a file, WRITE_DELAY 0");
            assertDatabase(h2);

            assertThat(RoundTrips.of(h2, 20)).containsOnly(Double.NaN);
        }
    }

    private static void assertDatabase(Database database) throws SQLException {
        try (Contest contest = database.connect(database.port().orElse(0))) {
            List<Way> ways = new ArrayList<>(contest.ways());
            if (database.port().isEmpty()) {
                ways.removeIf(ShedLockWay.class::isInstance); // H2 does not count writes
            }
            for (Way way : ways) {
                for (Load load : loads(way)) {
                    // the way of db-scheduler begins with the same statement
                    execute(database, "delete from scheduled_tasks");
                    long before = recorded(database, way);
                    long cycles = run(way, load);
                    // db-scheduler has picked some tasks and not run them any more
                    long unfinished = way instanceof DbSchedulerWay ? load.domains() : 0;
                    assertThat(recorded(database, way) - before)
                            .as(way.label() + " " + load)
                            .isBetween(cycles, cycles + unfinished);
                }
            }
        }
    }

    private static long recorded(Database database, Way way) throws SQLException {
        return switch (way.label()) {
            case "two updates of a row" -> number(database, "select sum(updates) / 2 from floor_row");
            case "db-scheduler" -> number(database, "select sum(version - 1) / 2 from scheduled_tasks");
            case "ShedLock" -> number(database, "select last_value / 2 from shedlock_write");
            default -> number(database, "select sum(processed_count) from tidegate_domain");
        };
    }

    @Test
    void redis_everyWay_doesTheWork() {
        try (Redis redis = new Redis("always")) {
            assertThat(redis.durability()).isEqualTo("appendonly yes, appendfsync always");
            int port = redis.port().orElseThrow();
            try (Contest contest = redis.connect(port);
                    RedisClient client = RedisClient.create(Redis.address(port));
                    StatefulRedisConnection<String, String> connection = client.connect()) {
                for (Way way : contest.ways()) {
                    for (Load load : loads(way)) {
                        long before = recorded(connection, way);
                        long cycles = run(way, load);
                        assertThat(recorded(connection, way) - before)
                                .as(way.label() + " " + load)
                                .isEqualTo(cycles);
                    }
                }
            }
            List<Double> roundTrips = RoundTrips.of(redis, 20);
            assertThat(roundTrips.remove(1)).as("Redisson").isGreaterThanOrEqualTo(2.0);
            assertThat(roundTrips.subList(0, 2)).containsExactly(2.0, 2.0);
            // pipelined: on a busy machine a reply may come while the rest is still being sent
            assertThat(roundTrips.get(2)).isBetween(0.2, 1.0);
            assertThat(roundTrips.get(3)).isBetween(0.04, 0.2);
            assertThat(roundTrips.get(4)).isEqualTo(2.0);
            assertThat(roundTrips.get(5)).isBetween(1.02, 1.5);
        }
    }

    private static long recorded(StatefulRedisConnection<String, String> connection, Way way) {
        RedisCommands<String, String> redis = connection.sync();
        if (way instanceof LeaseWay leases) {
            WorkLease observer = RedisWorkLease.builder(connection, "orders", 0).build();
            return IntStream.range(0, OWN_DOMAINS.domains())
                    .mapToObj(domain -> observer.inspect(leases.domainId(domain)))
                    .flatMap(Optional::stream)
                    .mapToLong(DomainSnapshot::processedCount)
                    .sum();
        }
        if (way instanceof FencedLockWay) {
            return redis.keys("redisson_lock_token:*").stream()
                    .mapToLong(key -> Long.parseLong(redis.get(key)))
                    .sum();
        }
        return redis.keys("floor-*").stream()
                        .mapToLong(key -> Long.parseLong(redis.hget(key, "updates")))
                        .sum()
                / 2;
    }

    /** Batches are not measured on one domain. */
    private static List<Load> loads(Way way) {
        return way.batch() == 1 ? List.of(OWN_DOMAINS, ONE_DOMAIN) : List.of(OWN_DOMAINS);
    }

    private static long run(Way way, Load load) {
        Running running = way.start(load);
        try (running) {
            while (running.cycles() < CYCLES) {
                Pauses.untilNextTry();
            }
        }
        return running.cycles();
    }

    private static void execute(Database database, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(Database database, String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }
}
