package io.tidegate.jdbc;

import io.tidegate.servers.MariaDbServer;
import io.tidegate.servers.PostgresServer;
import io.tidegate.servers.ServerPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Real servers, which run as long as the tests do. */
final class TestServers {
    private static final ServerPorts PORTS = new ServerPorts(24_000, 2_000);

    private static final CompletableFuture<MariaDbServer> MARIADB =
            started(() -> startMariaDb(Files.createTempDirectory("tidegate-mariadb")));

    /*
     * PostgreSQL does not start before MariaDB is unpacked: a process that is started meanwhile would hold the program
     * open, which can then not be run.
     */
    private static final CompletableFuture<PostgresServer> POSTGRES = started(() -> {
        MARIADB.join();
        return PostgresServer.startTemporary(PORTS.next());
    });

    private TestServers() {}

    static int postgresPort() {
        return POSTGRES.join().port();
    }

    static int mariaDbPort() {
        return MARIADB.join().port();
    }

    /** Starts a server beside the one that all tests share. */
    static MariaDbServer startAnotherMariaDb(Path folder) throws IOException {
        MARIADB.join();
        return startMariaDb(folder);
    }

    /** Starts a server beside the one that all tests share. */
    static PostgresServer startAnotherPostgres(Path folder, String... settings) throws IOException {
        MARIADB.join();
        return PostgresServer.start(folder, PORTS.next(), settings);
    }

    /** Starts a server. Its programs are unpacked once for all runs. */
    private static MariaDbServer startMariaDb(Path folder) throws IOException {
        return MariaDbServer.start(Path.of("target", "mariadb"), folder, PORTS.next());
    }

    private static <T> CompletableFuture<T> started(Callable<T> start) {
        CompletableFuture<T> server = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                server.complete(start.call());
            } catch (Exception failed) {
                server.completeExceptionally(failed);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }
}
