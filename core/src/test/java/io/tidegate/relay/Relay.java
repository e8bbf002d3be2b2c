package io.tidegate.relay;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Forwards connections between clients and a server: counts round trips, holds back replies, lets connections hang, and
 * cuts a conversation at any byte.
 */
public final class Relay implements AutoCloseable {
    /** What can be cut off. */
    public enum Direction {
        REQUESTS,
        REPLIES
    }

    private static final int ENDLESS = Integer.MAX_VALUE;

    private final Protocol protocol;
    private final int serverPort;
    private final ServerSocket listening;
    private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
    private int messages;
    private int roundTrips;
    private int keptBackUntil;
    private boolean replied = true;
    private boolean hangsNext;
    private int hanging;
    private int halvedMessage = ENDLESS;
    private int requestBytesLeft = ENDLESS;
    private int replyBytesLeft = ENDLESS;

    public Relay(Protocol protocol, int serverPort) throws IOException {
        this.protocol = protocol;
        this.serverPort = serverPort;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Returns how many messages clients have sent. */
    public synchronized int messages() {
        return messages;
    }

    public synchronized int roundTrips() {
        return roundTrips;
    }

    /** Drops the next reply and cuts the connection. By then the server has done what the client asked for. */
    public void loseNextReply() {
        cutAfter(Direction.REPLIES, 0);
    }

    /**
     * Holds back replies until so many more messages have come. A client that waits for a reply before it sends more
     * hangs.
     */
    public synchronized void keepRepliesUntil(int moreMessages) {
        keptBackUntil = messages + moreMessages;
    }

    /** Holds back the next reply and all that follow on its connection, for ever; other connections go on. */
    public synchronized void hangNextReply() {
        hangsNext = true;
    }

    /** Returns how many connections hang. */
    public synchronized int hanging() {
        return hanging;
    }

    /** Forwards so many more bytes, and cuts the connection at the next one; connections after that are not cut. */
    public synchronized void cutAfter(Direction direction, int bytes) {
        if (direction == Direction.REQUESTS) {
            requestBytesLeft = bytes;
        } else {
            replyBytesLeft = bytes;
        }
    }

    /** Forwards half of the request that comes as the which-th from now, and cuts its connection. */
    public synchronized void cutInTheMiddleOf(int which) {
        halvedMessage = messages + which;
    }

    /** Stops cutting. Returns whether a cut had not come yet. */
    public synchronized boolean heal() {
        boolean cutting = requestBytesLeft != ENDLESS || replyBytesLeft != ENDLESS || halvedMessage != ENDLESS;
        halvedMessage = ENDLESS;
        requestBytesLeft = ENDLESS;
        replyBytesLeft = ENDLESS;
        return cutting;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            open.add(client);
            open.add(server);
            start(() -> forwardRequests(client, server));
            start(() -> forwardReplies(server, client));
        }
    }

    private void forwardRequests(Socket client, Socket server) throws IOException {
        try (client;
                server) {
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            byte[] message = protocol.readFirst(in);
            count(message);
            while (forward(Direction.REQUESTS, message, server)) {
                message = protocol.read(in);
                count(message);
            }
        }
    }

    private void forwardReplies(Socket server, Socket client) throws IOException {
        try (client;
                server) {
            InputStream in = server.getInputStream();
            byte[] buffer = new byte[8192];
            int count = in.read(buffer);
            while (count >= 0) {
                awaitMessages();
                hangIfTold();
                if (!forward(Direction.REPLIES, Arrays.copyOf(buffer, count), client)) {
                    return;
                }
                count = in.read(buffer);
            }
        }
    }

    /* Forwards bytes. Returns false if the connection must be cut. */
    private boolean forward(Direction direction, byte[] bytes, Socket to) throws IOException {
        int through = through(direction, bytes.length);
        to.getOutputStream().write(bytes, 0, through);
        return through == bytes.length;
    }

    private synchronized void count(byte[] message) {
        messages++;
        if (protocol.beginsRoundTrip(message, replied)) {
            roundTrips++;
            replied = false;
        }
        notifyAll();
    }

    private synchronized void awaitMessages() throws IOException {
        try {
            while (messages < keptBackUntil) {
                wait();
            }
        } catch (InterruptedException ended) {
            throw new IOException(ended);
        }
        replied = true;
    }

    private synchronized void hangIfTold() throws IOException {
        if (!hangsNext) {
            return;
        }
        hangsNext = false;
        hanging++;
        try {
            while (!listening.isClosed()) {
                wait();
            }
        } catch (InterruptedException ended) {
            throw new IOException(ended);
        }
    }

    /** Returns how many of these bytes may pass. */
    private synchronized int through(Direction direction, int bytes) {
        if (direction == Direction.REQUESTS && messages == halvedMessage) {
            halvedMessage = ENDLESS;
            return bytes / 2;
        }
        int left = direction == Direction.REQUESTS ? requestBytesLeft : replyBytesLeft;
        if (left == ENDLESS) {
            return bytes;
        }
        boolean cut = left < bytes;
        cutAfter(direction, cut ? ENDLESS : left - bytes);
        return cut ? left : bytes;
    }

    private interface Body {
        void run() throws IOException;
    }

    @SuppressWarnings("EmptyCatch") // that is how a cut connection ends
    private static void start(Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (IOException cut) {
                // nothing is left to forward
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        synchronized (this) {
            notifyAll();
        }
        for (Closeable socket : open) {
            socket.close();
        }
    }
}
