package io.tidegate.bench.engines;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports for servers. */
final class Ports {
    private static final int FIRST = 26_000;
    private static final int COUNT = 2_000;
    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private Ports() {}

    /**
     * One that neither the system gives out by itself nor another module, and each once: nobody else gets it before the
     * server has it.
     */
    static int free() throws IOException {
        int port;
        do {
            port = FIRST + NEXT.getAndIncrement() % COUNT;
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
}
