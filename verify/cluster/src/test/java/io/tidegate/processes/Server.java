package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.jdbc.JdbcWorkLease;
import io.tidegate.servers.ServerPorts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A real server for one lane. */
interface Server extends AutoCloseable {
    /** Each of the JVMs that run tests beside each other has ports of its own. */
    ServerPorts PORTS = new ServerPorts(28_000 + 2_000 * (Integer.getInteger("fork", 1) - 1), 2_000);

    /** Reads a script of leases in a database. */
    static String scriptOfLeases(String file) {
        try (InputStream script = JdbcWorkLease.class.getResourceAsStream(file)) {
            return new String(script.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    int port();

    /**
     * Kills the server without any shutdown. Then starts it with the data that it has written,
     * on the same port.
     */
    void killAndStart() throws IOException;

    void createStore(String store, Twin twin);

    void dropStore(String store);

    @Override
    void close() throws IOException;
}
