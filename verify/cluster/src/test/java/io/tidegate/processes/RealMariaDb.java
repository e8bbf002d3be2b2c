package io.tidegate.processes;

import io.tidegate.servers.MariaDbServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.mariadb.jdbc.MariaDbDataSource;

/** MariaDB; a store is a database. */
final class RealMariaDb implements Server {
    private static final List<String> SCRIPTS = List.of("mariadb/lease_V3.sql", "mariadb/lease_procedures.sql");
    private static final String NOW = "timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) div 1000";

    private final MariaDbServer server;

    /** Unpacked once for all runs. */
    RealMariaDb(Path folder) throws IOException {
        this.server = MariaDbServer.start(
                Path.of("target", "mariadb"), folder.resolve("mariadb"), PORTS.next(), "--innodb-log-file-size=16M");
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public void killAndStart() throws IOException {
        server.killAndStart();
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

    /**
     * Returns the script without delimiters, which only the command line needs: the server sees where a procedure ends.
     */
    private static String script() {
        return SCRIPTS.stream()
                .map(Server::scriptOfLeases)
                .collect(Collectors.joining())
                .replaceAll("(?m)^delimiter .*$", "")
                .replace("$$", ";");
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
