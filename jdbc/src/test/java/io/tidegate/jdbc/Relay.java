package io.tidegate.jdbc;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a client and a server, counts round trips, loses replies and cuts the conversation at any byte. */
final class Relay implements AutoCloseable {
    /** How a client's messages look. */
    enum Protocol {
        /** A client waits for the server after each Sync and each Query. */
        POSTGRES {
            @Override
            byte[] readFirst(DataInputStream in) throws IOException {
                return read(in, new byte[0]); // it has no type
            }

            @Override
            byte[] read(DataInputStream in) throws IOException {
                return read(in, in.readNBytes(1));
            }

            private byte[] read(DataInputStream in, byte[] type) throws IOException {
                int length = in.readInt();
                return ByteBuffer.allocate(type.length + length)
                        .put(type)
                        .putInt(length)
                        .put(in.readNBytes(length - Integer.BYTES))
                        .array();
            }

            @Override
            boolean isAsking(byte[] message) {
                return message[0] == 'S' || message[0] == 'Q';
            }
        },
        /** Three bytes are the length, and one a number that begins at 0 with each command. */
        MARIADB {
            @Override
            byte[] read(DataInputStream in) throws IOException {
                byte[] head = in.readNBytes(4);
                if (head.length < 4) {
                    throw new EOFException();
                }
                int length = (head[0] & 0xff) | (head[1] & 0xff) << 8 | (head[2] & 0xff) << 16;
                return ByteBuffer.allocate(head.length + length)
                        .put(head)
                        .put(in.readNBytes(length))
                        .array();
            }

            @Override
            boolean isAsking(byte[] message) {
                return message[3] == 0;
            }
        };

        byte[] readFirst(DataInputStream in) throws IOException {
            return read(in);
        }

        abstract byte[] read(DataInputStream in) throws IOException;

        /** Whether the client waits for the server after it. */
        abstract boolean isAsking(byte[] message);
    }

    enum Direction {
        REQUESTS,
        REPLIES
    }

    private static final int ENDLESS = Integer.MAX_VALUE;

    private final Protocol protocol;
    private final int serverPort;
    private final ServerSocket listening;
    private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
    private final AtomicInteger roundTrips = new AtomicInteger();
    private final AtomicInteger requestBytesLeft = new AtomicInteger(ENDLESS);
    private final AtomicInteger replyBytesLeft = new AtomicInteger(ENDLESS);

    Relay(Protocol protocol, int serverPort) throws IOException {
        this.protocol = protocol;
        this.serverPort = serverPort;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    int roundTrips() {
        return roundTrips.get();
    }

    /** What the server says next does not arrive, and the connection is cut. The server has done what it was asked by then. */
    void loseNextReply() {
        cutAfter(Direction.REPLIES, 0);
    }

    /** So many bytes more are let through; with the next one the connection is cut. */
    void cutAfter(Direction direction, int bytes) {
        (direction == Direction.REQUESTS ? requestBytesLeft : replyBytesLeft).set(bytes);
    }

    /** Cuts nothing any more. */
    void heal() {
        requestBytesLeft.set(ENDLESS);
        replyBytesLeft.set(ENDLESS);
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
            DataInputStream in = new DataInputStream(client.getInputStream());
            forward(protocol.readFirst(in), server, requestBytesLeft);
            while (true) {
                byte[] message = protocol.read(in);
                if (protocol.isAsking(message)) {
                    roundTrips.incrementAndGet();
                }
                forward(message, server, requestBytesLeft);
            }
        }
    }

    private void forwardReplies(Socket server, Socket client) throws IOException {
        try (client;
                server) {
            InputStream in = server.getInputStream();
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                forward(Arrays.copyOf(buffer, count), client, replyBytesLeft);
            }
        }
    }

    private static void forward(byte[] bytes, Socket to, AtomicInteger bytesLeft) throws IOException {
        int left = bytesLeft.get();
        boolean cut = left < bytes.length;
        to.getOutputStream().write(bytes, 0, cut ? left : bytes.length);
        if (cut) {
            bytesLeft.set(ENDLESS);
            throw new IOException("cut");
        }
        if (left != ENDLESS) {
            bytesLeft.addAndGet(-bytes.length);
        }
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
        for (Closeable socket : open) {
            socket.close();
        }
    }
}
