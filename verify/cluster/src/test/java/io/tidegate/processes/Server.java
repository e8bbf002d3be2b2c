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

/** A real server for one lane. */
interface Server extends AutoCloseable {
    /** Each JVM that runs tests at the same time has its own ports. */
    int FIRST_PORT = 28_000 + 2_000 * (Integer.getInteger("fork", 1) - 1);

    int PORTS = 2_000;
    AtomicInteger NEXT_PORT = new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    /**
     * Returns a port that no other program will take while the server is down: the system does not assign it by itself,
     * no other module uses it, and each port is returned once. A port of the system's range could even be taken by a
     * client that tries to connect to it.
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
     * Kills the server as if its machine had failed, without any shutdown. Then starts it with the data that it has
     * written, on the same port.
     */
    void killAndStart() throws IOException;

    void createStore(String store, Twin twin);

    void dropStore(String store);

    @Override
    void close() throws IOException;
}
