package io.tidegate.processes;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a worker and a server, and forwards bytes, with the faults that a test sets. */
final class FaultProxy implements AutoCloseable {
    enum Direction {
        REQUESTS,
        REPLIES
    }

    private static final int ENDLESS = Integer.MAX_VALUE;
    private static final int BACKLOG = 50;

    private final int serverPort;
    private final ServerSocket listening;
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requestBytesLeft = new AtomicInteger(ENDLESS);
    private final AtomicInteger replyBytesLeft = new AtomicInteger(ENDLESS);
    private volatile int delayMillis;
    private volatile boolean swallowsReplies;
    private final AtomicInteger truncatedRequests = new AtomicInteger();
    private final AtomicInteger truncatedReplies = new AtomicInteger();
    private final AtomicInteger delayed = new AtomicInteger();
    private final AtomicInteger swallowed = new AtomicInteger();

    FaultProxy(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Closes all connections. */
    void cut() throws IOException {
        for (Closeable socket : open) {
            socket.close();
        }
    }

    /** Lets so many more bytes through; with the next one it closes the connection. */
    void cutAfter(Direction direction, int bytes) {
        left(direction).set(bytes);
    }

    void delay(int millis) {
        delayMillis = millis;
    }

    void swallowReplies() {
        swallowsReplies = true;
    }

    /** Ends the black hole. Closes all connections, because those that have lost bytes would wait for ever. */
    void letRepliesThrough() throws IOException {
        if (swallowsReplies) {
            swallowsReplies = false;
            cut();
        }
    }

    /** Ends all faults. */
    void heal() throws IOException {
        requestBytesLeft.set(ENDLESS);
        replyBytesLeft.set(ENDLESS);
        delayMillis = 0;
        letRepliesThrough();
    }

    // Effects so far

    boolean isConnected() {
        return !open.isEmpty();
    }

    /** Returns how many connections were closed at a limit of bytes. */
    int truncated(Direction direction) {
        return (direction == Direction.REQUESTS ? truncatedRequests : truncatedReplies).get();
    }

    /** Returns how many pieces came late. */
    int delayed() {
        return delayed.get();
    }

    /** Returns how many pieces of replies vanished. */
    int swallowed() {
        return swallowed.get();
    }

    private AtomicInteger left(Direction direction) {
        return direction == Direction.REQUESTS ? requestBytesLeft : replyBytesLeft;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            start(() -> connect(client));
        }
    }

    private void connect(Socket client) throws IOException {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
            List<Socket> both = List.of(client, server);
            open.addAll(both);
            try {
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                start(() -> forward(server, client, Direction.REPLIES));
                forward(client, server, Direction.REQUESTS);
            } finally {
                both.forEach(open::remove);
            }
        }
    }

    private void forward(Socket from, Socket to, Direction direction) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[8192];
            boolean hasLost = false; // after lost bytes none may follow: no network does that
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                pause(delayMillis);
                hasLost |= direction == Direction.REPLIES && swallowsReplies;
                if (hasLost) {
                    swallowed.incrementAndGet();
                    continue;
                }
                int let = letThrough(left(direction), count);
                if (let < count) {
                    truncate(out, buffer, let, direction);
                    return;
                }
                out.write(buffer, 0, count);
            }
        }
    }

    /** Closes the connection at its limit. If it had gone before, the limit applies to another connection. */
    private void truncate(OutputStream out, byte[] buffer, int count, Direction direction) throws IOException {
        try {
            out.write(buffer, 0, count);
            (direction == Direction.REQUESTS ? truncatedRequests : truncatedReplies).incrementAndGet();
        } catch (IOException gone) {
            left(direction).compareAndSet(ENDLESS, count);
            throw gone;
        }
    }

    /** Returns how many of these bytes may pass. If that is not all of them, the limit is used up. */
    private static int letThrough(AtomicInteger left, int count) {
        int before = left.getAndUpdate(bytes -> bytes == ENDLESS || bytes < count ? ENDLESS : bytes - count);
        return Math.min(before, count);
    }

    private void pause(int millis) throws InterruptedIOException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
            delayed.addAndGet(millis > 0 ? 1 : 0);
        } catch (InterruptedException interrupted) {
            throw new InterruptedIOException();
        }
    }

    private interface Body {
        void run() throws IOException;
    }

    @SuppressWarnings("EmptyCatch") // a closed connection ends like this
    private static void start(Body body) {
        Thread.ofVirtual().start(() -> {
            try {
                body.run();
            } catch (IOException closed) {
                // the connection has ended
            }
        });
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }
}
