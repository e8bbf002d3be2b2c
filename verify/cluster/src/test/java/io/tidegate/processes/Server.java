package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidegate.jdbc.JdbcWorkLease;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** A real server of one's own. */
interface Server extends AutoCloseable {
    /**
     * A port that nobody else will have by chance while the server is down, as those have that the system gives out by itself. One of these could even be
     * taken by a client that tries to connect to it.
     */
    static int freePort() throws IOException {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
        } while (!isFree(port));
        return port;
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException taken) {
            return false;
        }
    }

    /** A script of leases in a database. */
    static String scriptOfLeases(String file) {
        try (InputStream script = JdbcWorkLease.class.getResourceAsStream(file)) {
            return new String(script.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    int port();

    /** As if its machine had dropped it: nothing is told and nothing tidied up. Then starts on what is there, on the same port. */
    void killAndStart() throws IOException;

    void createStore(String store, Twin twin);

    void dropStore(String store);

    @Override
    void close() throws IOException;
}
