package io.tidegate.processes;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The resource that the work writes to. It refuses a fence that is smaller than one it has seen in the domain, and
 * records all writes.
 */
final class FencedResource implements AutoCloseable {
    private static final int BACKLOG = 50;

    /**
     * A write, or the attempt of one.
     *
     * @param last whether the work was done with it
     */
    record Write(String owner, String domainId, long offset, long fence, boolean last, boolean accepted) {}

    private final ServerSocket listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    private final List<Write> writes = new ArrayList<>();
    private final Map<String, Long> greatest = new HashMap<>();
    /** For each slot whose work should be held up: the last write of the owner that is, if one is. */
    private final Map<Integer, Optional<Write>> heldUp = new HashMap<>();

    FencedResource() throws IOException {
        start(() -> {
            while (true) {
                Socket writer = listening.accept();
                start(() -> serve(writer));
            }
        });
    }

    int port() {
        return listening.getLocalPort();
    }

    synchronized List<Write> writes() {
        return List.copyOf(writes);
    }

    private void serve(Socket writer) throws IOException {
        try (writer) {
            writer.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(writer.getInputStream());
            DataOutputStream out = new DataOutputStream(writer.getOutputStream());
            while (true) {
                Write write = write(in.readUTF(), in.readUTF(), in.readLong(), in.readLong(), in.readBoolean());
                if (write.accepted && !write.last) {
                    holdUp(write);
                }
                out.writeBoolean(write.accepted);
            }
        }
    }

    private synchronized Write write(String owner, String domainId, long offset, long fence, boolean last) {
        boolean accepted = greatest.merge(domainId, fence, Math::max) == fence;
        Write write = new Write(owner, domainId, offset, fence, last, accepted);
        writes.add(write);
        return write;
    }

    /**
     * Returns the write of an owner in this slot that is held up in the middle of its work. If there is none, the next
     * one will be held up.
     */
    synchronized Optional<Write> heldUp(int slot) {
        return heldUp.computeIfAbsent(slot, awaited -> Optional.empty());
    }

    /** Lets the owner in this slot go on. */
    synchronized void release(int slot) {
        heldUp.remove(slot);
        notifyAll();
    }

    /** Whether the resource has seen a greater fence since. */
    synchronized boolean isOvertaken(Write write) {
        return greatest.get(write.domainId) > write.fence;
    }

    private synchronized void holdUp(Write write) throws InterruptedIOException {
        for (int slot : List.copyOf(heldUp.keySet())) {
            if (write.owner.startsWith(WorkerProcess.owner(slot, ""))) {
                heldUp.put(slot, Optional.of(write));
                awaitRelease(slot);
            }
        }
    }

    private void awaitRelease(int slot) throws InterruptedIOException {
        try {
            while (heldUp.containsKey(slot)) {
                wait();
            }
        } catch (InterruptedException interrupted) {
            throw new InterruptedIOException();
        }
    }

    private interface Body {
        void run() throws IOException;
    }

    @SuppressWarnings("EmptyCatch") // the thread ends like this
    private static void start(Body body) {
        Thread.ofVirtual().start(() -> {
            try {
                body.run();
            } catch (IOException closed) {
                // the writer has gone
            }
        });
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }

    /** A worker's connection to the resource. */
    static final class Writer implements Closeable {
        private final Socket socket;
        private final String owner;
        private final DataOutputStream out;
        private final DataInputStream in;

        Writer(int port, String owner) throws IOException {
            this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
            this.owner = owner;
            socket.setTcpNoDelay(true);
            this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            this.in = new DataInputStream(socket.getInputStream());
        }

        /** Writes, and returns whether the resource accepted it. */
        boolean write(String domainId, long offset, long fence, boolean last) throws IOException {
            out.writeUTF(owner);
            out.writeUTF(domainId);
            out.writeLong(offset);
            out.writeLong(fence);
            out.writeBoolean(last);
            out.flush();
            return in.readBoolean();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
