package io.tidegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.redis.RedisWorkLease;
import io.tidegate.servers.PostgresServer;
import io.tidegate.servers.RedisServer;
import io.tidegate.servers.ServerPorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packed command, on real stores. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class PackedLeasesTest {
    private static final String HOST = RedisServer.HOST;
    /* A Redis in a cluster listens so far above its port, too. */
    private static final int BUS = 10_000;
    private static final ServerPorts PORTS = new ServerPorts(16_000, 2_000, -BUS);

    @TempDir
    Path folder;

    private record Result(int code, String out, String errors) {}

    private Result run(Map<String, String> environment, String... arguments) throws Exception {
        List<String> line = new ArrayList<>(command());
        line.addAll(List.of(arguments));
        return start(environment, line.toArray(String[]::new));
    }

    private static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djdk.console=java.base",
                "-jar",
                Path.of("target", "tidegate-ops.jar").toString());
    }

    private Result start(Map<String, String> environment, String... line) throws Exception {
        Path out = folder.resolve("out");
        Path errors = folder.resolve("errors");
        ProcessBuilder command = new ProcessBuilder(line)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile());
        command.environment().putAll(environment);
        int code = command.start().waitFor();
        return new Result(code, Files.readString(out), Files.readString(errors));
    }

    /** Leaves an offset leased, one waiting and one parked. */
    private static void fill(SharedWorkLease lease) {
        AcquireResult.Acquired failing = (AcquireResult.Acquired) lease.tryAcquire("bert", 1);
        lease.fail("bert", failing.token(), new Failure(0, true, "no such article"));
        lease.tryAcquire("anna", 7);
        lease.tryAcquire("anna", 8);
    }

    @Test
    @DisplayName(
            "an H2 file: what is parked is found and replayed, what is stuck is released, what is old is forgotten")
    void leases_h2_areLookedAfter() throws Exception {
        String address = "jdbc:h2:" + folder.resolve("shop");
        String[] at = {"--store", address, "--name", "orders", "--user", "sa"};
        assertThat(run(Map.of(), with(at, "list")))
                .satisfies(absent -> assertThat(absent.code).isEqualTo(3))
                .satisfies(absent -> assertThat(absent.errors).contains("expected: one that is there"));
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(address + ";WRITE_DELAY=0");
        source.setUser("sa");
        JdbcWorkLease.migrate(source);
        fill(JdbcWorkLease.builder(source, "orders", 0).owner("worker-1").build());

        assertThat(run(Map.of(), with(at, "list")).out)
                .containsPattern("anna +7 +worker-1 ")
                .containsPattern("bert +- ");
        assertThat(run(Map.of(), with(at, "parked")).out).contains("no such article");
        assertThat(run(Map.of(), with(at, "replay", "bert", "1")).code).isZero();
        assertThat(run(Map.of(), with(at, "replay", "bert", "1")).code).isEqualTo(1);
        Result unasked = run(Map.of(), with(at, "release", "anna"));
        assertThat(unasked.code).isEqualTo(1);
        assertThat(unasked.errors).contains("held by worker-1").contains("--yes");
        assertThat(run(Map.of(), with(at, "release", "anna", "--yes", "--json")).out)
                .startsWith("{\"released\":true,\"domain\":\"anna\",\"offset\":7,");
        assertThat(run(Map.of(), with(at, "forget", "--up-to", "6", "--yes")).out)
                .contains("in 2 domains");

        JdbcWorkLease after = JdbcWorkLease.builder(source, "orders", 0).build();
        assertThat(after.inspect("anna").orElseThrow().backlog()).containsExactly(7L, 8L);
        assertThat(after.inspect("bert").orElseThrow().backlog()).containsExactly(1L);
        assertThat(after.failedWork("bert", 1)).isEmpty();
    }

    @Test
    @DisplayName("the next page is found by what the page before has printed, put into a shell")
    void list_nextPage_isWhatAShellAsksFor() throws Exception {
        String address = "jdbc:h2:" + folder.resolve("shop");
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(address + ";WRITE_DELAY=0");
        source.setUser("sa");
        JdbcWorkLease.migrate(source);
        SharedWorkLease worker = JdbcWorkLease.builder(source, "orders", 0).build();
        List<String> domains = List.of("a\tb", "d'Arc; exit 7", "x $HOME");
        domains.forEach(domain -> worker.tryAcquire(domain, 1));

        String[] line = {"list", "--store", address, "--name", "orders", "--user", "sa", "--limit", "1"};
        String shown = run(Map.of(), line).out;
        for (String next : List.of("d'Arc; exit 7 ", "x $HOME ")) {
            String more = shown.substring(shown.indexOf("--after")).stripTrailing();
            Result page = start(
                    Map.of(),
                    "sh",
                    "-c",
                    Stream.concat(command().stream(), Stream.of(line))
                                    .map(word -> "\"" + word + "\"")
                                    .collect(Collectors.joining(" "))
                            + " " + more);
            assertThat(page.errors).isEmpty();
            assertThat(page.out.lines().skip(1).findFirst().orElseThrow()).startsWith(next);
            shown = page.out;
        }
        assertThat(shown).doesNotContain("--after");
    }

    @Test
    @DisplayName("a wrong line exits with 2 where nothing is, and where something is")
    void leases_wrongLine_isMisuse() throws Exception {
        String address = "jdbc:h2:" + folder.resolve("shop");
        String[] at = {"--store", address, "--name", "orders", "--user", "sa"};
        assertThat(run(Map.of(), with(at, "list")).code).isEqualTo(3);
        assertThat(run(Map.of(), with(at, "list", "--limit", "x")).code).isEqualTo(2);
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(address);
        source.setUser("sa");
        JdbcWorkLease.migrate(source);
        assertThat(run(Map.of(), with(at, "list", "--limit", "x")).code).isEqualTo(2);
        assertThat(run(Map.of(), with(at, "list")).code).isZero();
    }

    @Test
    @DisplayName("PostgreSQL: as a user with a password from the environment; a database without tables is not reached")
    void leases_postgres_areLookedAfter() throws Exception {
        try (PostgresServer server = PostgresServer.startTemporary(PORTS.next())) {
            execute(server, "create role shop login superuser password 'geheim'");
            String[] at = {
                "--store",
                "jdbc:postgresql://localhost:" + server.port() + "/postgres",
                "--name",
                "orders",
                "--user",
                "shop",
                "--json"
            };
            Map<String, String> password = Map.of("TIDEGATE_PASSWORD", "geheim");
            Result empty = run(password, with(at, "list"));
            assertThat(empty.code).isEqualTo(3);
            assertThat(empty.errors).contains("the tables of Tidegate are not there");
            JdbcWorkLease.migrate(server.database());
            SharedWorkLease worker = JdbcWorkLease.builder(server.database(), "orders", 0)
                    .owner("worker-1")
                    .build();
            fill(worker);

            assertThat(run(password, with(at, "list", "--limit=1")).out)
                    .startsWith("{\"domains\":[{\"domain\":\"anna\",\"leased\":7,\"holder\":\"worker-1\",")
                    .endsWith("\"next\":\"anna\"}\n");
            assertThat(run(password, with(at, "release", "anna", "--yes")).code).isZero();
            assertThat(worker.summary("anna").orElseThrow().lease()).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "Redis: with a password from the environment; without one, and where nobody listens, it is not reached")
    void leases_redis_areLookedAfter() throws Exception {
        int port = PORTS.next();
        String[] at = {"--store", "redis://" + HOST + ":" + port, "--name", "orders", "--prefix", "shop"};
        assertThat(run(Map.of(), with(at, "list")).code).isEqualTo(3);
        RedisServer server = new RedisServer(folder.resolve("redis"), port, "requirepass geheim");
        RedisClient client = RedisClient.create("redis://:geheim@" + HOST + ":" + port);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            SharedWorkLease worker = RedisWorkLease.builder(connection, "orders", 0)
                    .prefix("shop")
                    .owner("worker-1")
                    .build();
            fill(worker);
            Result stranger = run(Map.of(), with(at, "list"));
            assertThat(stranger.code).isEqualTo(3);
            assertThat(stranger.errors)
                    .startsWith("tidegate leases: the store: ")
                    .hasLineCount(1);
            Map<String, String> password = Map.of("TIDEGATE_PASSWORD", "geheim");
            assertThat(run(password, with(at, "show", "anna")).out)
                    .containsPattern("holder +worker-1")
                    .containsPattern("next +8");
            assertThat(run(password, with(at, "release", "anna", "--yes")).code).isZero();
            assertThat(worker.summary("anna").orElseThrow().lease()).isEmpty();
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            server.close();
        }
    }

    @Test
    @DisplayName("a Redis cluster is found out by itself")
    void leases_redisCluster_areListed() throws Exception {
        int port = PORTS.next() - BUS;
        RedisServer server = new RedisServer(folder.resolve("redis"), port, "cluster-enabled yes");
        RedisClusterClient client = RedisClusterClient.create("redis://" + HOST + ":" + port);
        try {
            found(port);
            fill(RedisWorkLease.builder(client.connect(), "orders", 0)
                    .owner("worker-1")
                    .build());
            assertThat(run(Map.of(), "list", "--store", "redis://" + HOST + ":" + port, "--name", "orders").out)
                    .containsPattern("anna +7 +worker-1 ")
                    .containsPattern("bert +- ");
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
            server.close();
        }
    }

    /** Makes a cluster of one server. */
    private static void found(int port) {
        RedisClient client = RedisClient.create("redis://" + HOST + ":" + port);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().clusterAddSlots(IntStream.range(0, 16_384).toArray());
            while (!connection.sync().clusterInfo().contains("cluster_state:ok")) {
                LockSupport.parkNanos(10_000_000);
            }
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        }
    }

    private static void execute(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.database().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String[] with(String[] at, String... command) {
        List<String> line = new ArrayList<>(List.of(command));
        line.addAll(List.of(at));
        return line.toArray(String[]::new);
    }
}
