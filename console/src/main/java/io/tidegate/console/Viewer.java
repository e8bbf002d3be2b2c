package io.tidegate.console;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One viewer: a buffer of a few frames between the thread that makes them and the thread that writes them. If the
 * buffer is full, it is emptied, and the viewer gets everything again after the frame that is being written. So a
 * client that does not read costs one frame and no more.
 */
final class Viewer {
    /** How many frames may wait. */
    static final int ROOM = 3;

    private static final byte[] ALIVE = "event: alive\ndata: {}\n\n".getBytes(US_ASCII);

    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    private final Runnable onWant;
    private final long silenceMillis;
    private boolean current;
    private boolean waits;
    private boolean closed;

    Viewer(Runnable onWant, long silenceMillis) {
        this.onWant = onWant;
        this.silenceMillis = silenceMillis;
    }

    /** Whether the viewer needs everything, and can take it now. */
    synchronized boolean wantsEverything() {
        return !current && waits && !closed;
    }

    synchronized void everything(byte[] frame) {
        current = true;
        frames.addLast(frame);
        notifyAll();
    }

    /** Adds a frame, unless the viewer waits for everything. */
    synchronized void change(byte[] frame) {
        if (!current) {
            return;
        }
        if (frames.size() == ROOM) {
            frames.clear();
            current = false;
        } else {
            frames.addLast(frame);
            notifyAll();
        }
    }

    /** Waits for the next frame; returns a sign of life if none comes for long, and null once the viewer is closed. */
    byte @Nullable [] next() throws InterruptedException {
        boolean wants;
        synchronized (this) {
            waits = true;
            wants = !current;
        }
        if (wants) {
            onWant.run();
        }
        synchronized (this) {
            long until = System.nanoTime() + MILLISECONDS.toNanos(silenceMillis);
            long left = until - System.nanoTime();
            while (frames.isEmpty() && !closed && left > 0) {
                NANOSECONDS.timedWait(this, left);
                left = until - System.nanoTime();
            }
            waits = false;
            if (closed) {
                return null;
            }
            byte[] frame = frames.pollFirst();
            return frame == null ? ALIVE : frame;
        }
    }

    /** Returns how many frames wait. */
    synchronized int held() {
        return frames.size();
    }

    synchronized void close() {
        closed = true;
        frames.clear();
        notifyAll();
    }
}
