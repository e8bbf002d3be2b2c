package io.tidegate.processes;

import io.tidegate.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.ds.PGSimpleDataSource;

/** PostgreSQL; a store is a schema. */
final class RealPostgres implements Server {
    private static final List<String> SCRIPTS = List.of("postgresql/lease_V3.sql", "postgresql/lease_functions.sql");
    private static final String SHORT_WAY = "secret = p_token and waiting = 0";

    private final PostgresServer server;

    RealPostgres(Path folder) throws IOException {
        this.server = PostgresServer.start(folder.resolve("postgres"), PORTS.next(), "max_connections=40");
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
        execute("create schema " + store + "; set search_path to " + store + "; " + Books.TABLE + script(twin));
    }

    @Override
    public void dropStore(String store) {
        execute("drop schema " + store + " cascade");
    }

    private void execute(String sql) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(PostgresClient.url(port()));
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String script(Twin twin) {
        return switch (twin) {
            case NONE -> script();
            case FENCE_KEPT ->
                changed(
                        script(),
                        "fence = nextval('tidegate_fence')",
                        "fence = coalesce(fence, nextval('tidegate_fence'))");
            case CLIENT_CLOCK ->
                changed(
                        script(),
                        "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint",
                        "select floor(extract(epoch from clock_timestamp()) * 1000)::bigint + current_setting('"
                                + PostgresClient.CLOCK_AHEAD + "')::bigint");
            case FINISH_IN_TWO_STEPS ->
                changed(
                        changed(script(), SHORT_WAY, SHORT_WAY + " and false"),
                        "perform tidegate_free(tidegate_add_processed(d, d.lease_offset), p_token, code, head);",
                        "perform tidegate_free(d, p_token, code, head);");
        };
    }

    private static String changed(String script, String right, String wrong) {
        if (!script.contains(right)) {
            throw new IllegalStateException(SCRIPTS + " (expected: contains " + right + ")");
        }
        return script.replace(right, wrong);
    }

    private static String script() {
        return SCRIPTS.stream().map(Server::scriptOfLeases).collect(Collectors.joining());
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
