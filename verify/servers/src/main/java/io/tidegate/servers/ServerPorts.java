package io.tidegate.servers;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The ports for the servers of a module's tests: a range that neither the system assigns nor another module uses. A
 * port is given out again only after all others, so no other server of these tests takes it before its server has it,
 * or while the server is down.
 */
public final class ServerPorts {
    private final int first;
    private final int count;
    private final int[] besides;
    private final AtomicInteger next;

    /** @param besides how far from its port a server also listens */
    public ServerPorts(int first, int count, int... besides) {
        this.first = first;
        this.count = count;
        this.besides = besides.clone();
        this.next = new AtomicInteger(ThreadLocalRandom.current().nextInt(count));
    }

    public int next() throws IOException {
        int port;
        do {
            port = first + next.getAndIncrement() % count;
        } while (!isFreeForServer(port));
        return port;
    }

    private boolean isFreeForServer(int port) throws IOException {
        for (int distance : besides) {
            if (!isFree(port + distance)) {
                return false;
            }
        }
        return isFree(port);
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException taken) {
            return false;
        }
    }
}
