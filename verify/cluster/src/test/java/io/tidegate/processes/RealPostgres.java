package io.tidegate.processes;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
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

    private final Path data;
    private EmbeddedPostgres server;

    RealPostgres(Path folder) throws IOException {
        this.data = folder.resolve("postgres");
        this.server = builder().setPort(Server.freePort()).start();
    }

    private EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("max_connections", "40");
    }

    @Override
    public int port() {
        return server.getPort();
    }

    @Override
    public void killAndStart() throws IOException {
        int port = port();
        long postmaster = Long.parseLong(
                Files.readAllLines(data.resolve("postmaster.pid")).get(0).trim());
        ProcessHandle process = ProcessHandle.of(postmaster).orElseThrow();
        List<ProcessHandle> helpers = process.children().toList();
        process.destroyForcibly();
        helpers.forEach(helper -> helper.onExit().join());
        server.close();
        server = builder().setPort(port).start();
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
