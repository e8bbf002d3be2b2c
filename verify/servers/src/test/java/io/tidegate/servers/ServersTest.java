package io.tidegate.servers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.mariadb.jdbc.MariaDbDataSource;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ServersTest {
    private static final ServerPorts PORTS = new ServerPorts(18_500, 1_500);
    private static final int FAR = 500;
    private static final int WRITTEN = 42;

    @TempDir
    Path folder;

    @Test
    void postgres_killed_hasItsDataAgainOnItsPort() throws Exception {
        int port = PORTS.next();
        try (PostgresServer server =
                PostgresServer.start(folder.resolve("new"), port, "synchronous_commit=on", "max_connections=40")) {
            write(server.database());
            server.killAndStart();

            assertThat(server.port()).isEqualTo(port);
            assertThat(read(server.database(), "select n from t")).isEqualTo(WRITTEN);
            assertThat(read(server.database(), "select current_setting('max_connections')::int"))
                    .isEqualTo(40);
            assertThat(read(
                            server.database(),
                            "select count(*) from pg_settings where name = 'fsync' and setting = 'off'"))
                    .isEqualTo(1);
        }
    }

    @Test
    void mariaDb_killed_hasItsDataAgainOnItsPort() throws Exception {
        int port = PORTS.next();
        Path programs = Path.of("target", "mariadb");
        try (MariaDbServer server =
                MariaDbServer.start(programs, folder.resolve("new"), port, "--innodb-log-file-size=16M")) {
            DataSource database = mariaDb(port);
            write(database);
            server.killAndStart();

            assertThat(server.port()).isEqualTo(port);
            assertThat(read(database, "select n from t")).isEqualTo(WRITTEN);
            assertThat(read(database, "select @@innodb_log_file_size")).isEqualTo(16 << 20);
            assertThat(read(database, "select @@innodb_flush_method = 'nosync'"))
                    .isEqualTo(1);
        }
        assertNobodyListens(port);
        try (MariaDbServer synced = MariaDbServer.startWithSync(programs, folder.resolve("synced"), port)) {
            DataSource database = mariaDb(synced.port());
            assertThat(read(database, "select @@innodb_flush_method <> 'nosync'"))
                    .isEqualTo(1);
        }
    }

    @Test
    void redis_killedOrStopped_hasItsDataAgainOnItsPort() throws Exception {
        int port = PORTS.next();
        try (RedisServer server = new RedisServer(folder.resolve("new"), port, "appendfsync always")) {
            assertThat(ask(port, "set n " + WRITTEN)).isEqualTo("+OK");
            server.killAndStart();

            assertThat(server.port()).isEqualTo(port);
            assertThat(ask(port, "incr n")).isEqualTo(":" + (WRITTEN + 1));
            server.stop();
            assertNobodyListens(port);
            server.start();

            assertThat(ask(port, "incr n")).isEqualTo(":" + (WRITTEN + 2));
            assertThat(ask(port, "config set appendfsync no")).isEqualTo("+OK");
        }
        assertNobodyListens(port);
    }

    @Test
    void ports_whereSomebodyListens_areLeftOut() throws Exception {
        try (ServerSocket taken = new ServerSocket(PORTS.next(), 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            ServerPorts beforeIt = new ServerPorts(port - 1, 2);
            assertThat(List.of(beforeIt.next(), beforeIt.next())).containsOnly(port - 1);
            ServerPorts farBelow = new ServerPorts(port - FAR, 2, FAR);
            assertThat(List.of(farBelow.next(), farBelow.next())).containsOnly(port - FAR + 1);
        }
    }

    private static void assertNobodyListens(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.isBound()).isTrue();
        }
    }

    private static DataSource mariaDb(int port) throws SQLException {
        return new MariaDbDataSource(
                "jdbc:mariadb://localhost:" + port + "/" + MariaDbServer.DATABASE + "?user=root&sslMode=disable");
    }

    private static void write(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table t (n int)");
            statement.execute("insert into t values (" + WRITTEN + ")");
        }
    }

    private static int read(DataSource database, String query) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            assertThat(row.next()).isTrue();
            return row.getInt(1);
        }
    }

    /** In one line, as by hand. */
    private static String ask(int port, String command) throws IOException {
        try (Socket socket = new Socket(RedisServer.HOST, port);
                BufferedReader answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
            socket.getOutputStream().write((command + "\r\n").getBytes(UTF_8));
            return answers.readLine();
        }
    }
}
