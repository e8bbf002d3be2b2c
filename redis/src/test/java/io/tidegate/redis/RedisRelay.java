package io.tidegate.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Stands between a client and a server, counts round trips, keeps replies back and cuts the conversation at any byte. A round trip begins with the
 * first command after a reply.
 */
final class RedisRelay implements AutoCloseable {
    enum Direction {
        REQUESTS,
        REPLIES
    }

    private static final int ENDLESS = Integer.MAX_VALUE;

    private final int serverPort;
    private final ServerSocket listening;
    private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
    private int commands;
    private int roundTrips;
    private int keptBackUntil;
    private boolean replied = true;
    private int requestBytesLeft = ENDLESS;
    private int replyBytesLeft = ENDLESS;

    RedisRelay(int serverPort) throws IOException {
        this.serverPort = serverPort;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    synchronized int commands() {
        return commands;
    }

    synchronized int roundTrips() {
        return roundTrips;
    }

    /** Lets no reply through until so many more commands have come. Whoever waits for a reply before it sends them all waits for ever. */
    synchronized void keepRepliesUntil(int moreCommands) {
        keptBackUntil = commands + moreCommands;
    }

    /** So many bytes more are let through; with the next one the connection is cut, and the next connection is not. */
    synchronized void cutAfter(Direction direction, int bytes) {
        if (direction == Direction.REQUESTS) {
            requestBytesLeft = bytes;
        } else {
            replyBytesLeft = bytes;
        }
    }

    /** Cuts nothing any more. Whether it was still to be cut. */
    synchronized boolean heal() {
        boolean cutting = requestBytesLeft != ENDLESS || replyBytesLeft != ENDLESS;
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
            InputStream in = new BufferedInputStream(client.getInputStream());
            while (true) {
                byte[] command = command(in);
                count();
                int through = through(Direction.REQUESTS, command.length);
                server.getOutputStream().write(command, 0, through);
                if (through < command.length) {
                    return;
                }
            }
        }
    }

    /** An array of texts, each with its length before it. */
    private static byte[] command(InputStream in) throws IOException {
        ByteArrayOutputStream command = new ByteArrayOutputStream();
        int words = length(in, command);
        for (int i = 0; i < words; i++) {
            int length = length(in, command);
            command.write(in.readNBytes(length + 2));
        }
        return command.toByteArray();
    }

    private static int length(InputStream in, ByteArrayOutputStream command) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            line.write(next);
        }
        line.write('\n');
        command.write(line.toByteArray());
        return Integer.parseInt(line.toString(US_ASCII).substring(1).trim());
    }

    private void forwardReplies(Socket server, Socket client) throws IOException {
        try (client;
                server) {
            InputStream in = server.getInputStream();
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitCommands();
                byte[] reply = Arrays.copyOf(buffer, count);
                int through = through(Direction.REPLIES, reply.length);
                client.getOutputStream().write(reply, 0, through);
                if (through < reply.length) {
                    return;
                }
            }
        }
    }

    private synchronized void count() {
        commands++;
        if (replied) {
            roundTrips++;
            replied = false;
        }
        notifyAll();
    }

    private synchronized void awaitCommands() throws IOException {
        try {
            while (commands < keptBackUntil) {
                wait();
            }
        } catch (InterruptedException ended) {
            throw new IOException(ended);
        }
        replied = true;
    }

    /** How many of these bytes may pass. */
    private synchronized int through(Direction direction, int bytes) {
        boolean requests = direction == Direction.REQUESTS;
        int left = requests ? requestBytesLeft : replyBytesLeft;
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
        for (Closeable socket : open) {
            socket.close();
        }
    }
}
