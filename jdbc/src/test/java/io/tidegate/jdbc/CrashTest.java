package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SucceedResult;
import io.tidegate.servers.MariaDbServer;
import io.tidegate.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbDataSource;

/** A process that dies right after it got its answer. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CrashTest {
    private static final String A = "A";
    private static final int EXIT = 7;

    @TempDir
    Path folder;

    /** The process that dies. */
    static final class Dying {
        private Dying() {}

        public static void main(String[] url) {
            JdbcWorkLease lease = open(url[0]);
            for (long offset = 1; offset <= 5; offset++) {
                lease.succeed(A, ((AcquireResult.Acquired) lease.tryAcquire(A, offset)).token());
            }
            lease.tryAcquire(A, 6);
            lease.tryAcquire(A, 7);
            Runtime.getRuntime().halt(EXIT);
        }
    }

    private static JdbcWorkLease open(String url) {
        JdbcDataSource file = new JdbcDataSource();
        file.setUrl(url);
        file.setUser("sa");
        return open(file);
    }

    private static JdbcWorkLease open(DataSource source) {
        JdbcWorkLease.migrate(source);
        return JdbcWorkLease.builder(source, "orders", 0).owner("one that dies").build();
    }

    @Test
    @DisplayName("WL-26 H2 in a file: what was answered is there after the process has died")
    void process_dies_keepsItsWord() throws Exception {
        String url = "jdbc:h2:file:" + folder.resolve("db") + ";WRITE_DELAY=0;DB_CLOSE_DELAY=-1";
        assertThat(run(url)).isEqualTo(EXIT);

        JdbcWorkLease lease = open(url.replace(";DB_CLOSE_DELAY=-1", ";DB_CLOSE_DELAY=0"));

        assertThat(lease.inspect(A).orElseThrow().processedCount()).isEqualTo(5);
        AcquireResult.AlreadyAcquired held = (AcquireResult.AlreadyAcquired) lease.tryAcquire(A, 6);
        assertThat(lease.succeed(A, held.token())).isEqualTo(new SucceedResult.NextHint(7));
        assertThat(((AcquireResult.Acquired) lease.tryAcquire(A, 7)).fence()).isGreaterThan(held.fence());
    }

    @Test
    @DisplayName("WL-26 PostgreSQL: answered changes survive a killed server, even one set up to write later")
    void server_isKilled_keepsItsWord() throws Exception {
        int cycles = 50;
        try (PostgresServer server = TestServers.startAnotherPostgres(
                folder.resolve("server"), "synchronous_commit=off", "wal_writer_delay=10s")) {
            JdbcWorkLease before = open(server.database());
            for (long offset = 1; offset <= cycles; offset++) {
                before.succeed(A, ((AcquireResult.Acquired) before.tryAcquire(A, offset)).token());
            }
            server.killAndStart();

            JdbcWorkLease lease = open(server.database());
            assertThat(lease.inspect(A).orElseThrow().processedCount()).isEqualTo(cycles);
            assertThat(((AcquireResult.Acquired) lease.tryAcquire(A, 0)).fence())
                    .isGreaterThan(cycles);
        }
    }

    @Test
    @DisplayName("WL-26 MariaDB: what was answered is there after the server was killed")
    void mariaDb_isKilled_keepsItsWord() throws Exception {
        int cycles = 50;
        try (MariaDbServer server = TestServers.startAnotherMariaDb(folder)) {
            String url = TestDatabase.mariaDbUrl(server.port(), MariaDbServer.DATABASE);
            JdbcWorkLease lease = open(new MariaDbDataSource(url));
            for (long offset = 1; offset <= cycles; offset++) {
                lease.succeed(A, ((AcquireResult.Acquired) lease.tryAcquire(A, offset)).token());
            }
            AcquireResult.Acquired held = (AcquireResult.Acquired) lease.tryAcquire(A, 100);
            server.killAndStart();

            assertThat(lease.inspect(A).orElseThrow().processedCount()).isEqualTo(cycles);
            assertThat(lease.succeed(A, held.token())).isEqualTo(new SucceedResult.NoBacklog());
            assertThat(((AcquireResult.Acquired) lease.tryAcquire(A, 0)).fence())
                    .isGreaterThan(held.fence());
        }
    }

    private int run(String url) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Dying.class.getName(),
                        url)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output.txt").toFile())
                .start();
        boolean ended = process.waitFor(5, TimeUnit.MINUTES);
        if (!ended) {
            process.destroyForcibly();
        }
        assertThat(ended).as(Files.readString(folder.resolve("output.txt"))).isTrue();
        return process.exitValue();
    }
}
