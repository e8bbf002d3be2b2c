package io.tidegate.bench.engines;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers. */
final class Ports {
    private Ports() {}

    /** One that the system does not give out by itself, so that nobody else gets it before the server has it. */
    static int free() throws IOException {
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
}
