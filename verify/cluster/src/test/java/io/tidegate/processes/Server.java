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
import java.util.concurrent.atomic.AtomicInteger;

/** A real server of one's own. */
interface Server extends AutoCloseable {
    /** Each of the JVMs that run tests beside each other has its own. */
    int FIRST_PORT = 28_000 + 2_000 * (Integer.getInteger("fork", 1) - 1);

    int PORTS = 2_000;
    AtomicInteger NEXT_PORT = new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    /**
     * A port that nobody else will have by chance while the server is down: neither the system gives it out by itself
     * nor another module, and each is given once. One of the system's could even be taken by a client that tries to
     * connect to it.
     */
    static int freePort() throws IOException {
        int port;
        do {
            port = FIRST_PORT + NEXT_PORT.getAndIncrement() % PORTS;
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

    /**
     * As if its machine had dropped it: nothing is told and nothing tidied up. Then starts on what is there, on the
     * same port.
     */
    void killAndStart() throws IOException;

    void createStore(String store, Twin twin);

    void dropStore(String store);

    @Override
    void close() throws IOException;
}
