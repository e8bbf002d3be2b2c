package io.tidegate.bench.engines;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between clients and a server, with any protocol, and counts round trips: each time a client sends after it has
 * received from the server. To make the server seem far away, the relay delays replies; what a client sends during the
 * delay does not depend on them.
 */
final class WireRelay implements AutoCloseable {
    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final int serverPort;
    private final ServerSocket listening;
    private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
    private final AtomicLong roundTrips = new AtomicLong();
    private volatile boolean far;

    WireRelay(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    long roundTrips() {
        return roundTrips.get();
    }

    void seemFar(boolean value) {
        far = value;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            open.add(client);
            open.add(server);
            AtomicBoolean clientsTurn = new AtomicBoolean(true);
            start(() -> forward(client, server, () -> {
                if (clientsTurn.compareAndSet(true, false)) {
                    roundTrips.incrementAndGet();
                }
            }));
            start(() -> forward(server, client, () -> {
                if (far) {
                    LockSupport.parkNanos(DELAY_NANOS);
                }
                clientsTurn.set(true);
            }));
        }
    }

    private static void forward(Socket from, Socket to, Runnable beforeEach) throws IOException {
        try (from;
                to) {
            byte[] buffer = new byte[64 * 1024];
            for (int count = from.getInputStream().read(buffer);
                    count >= 0;
                    count = from.getInputStream().read(buffer)) {
                beforeEach.run();
                to.getOutputStream().write(buffer, 0, count);
            }
        }
    }

    private interface Body {
        void run() throws IOException;
    }

    @SuppressWarnings("EmptyCatch") // a closed connection ends like this
    private static void start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException closed) {
                // the connection has ended
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Closeable socket : open) {
            socket.close();
        }
    }
}
