package io.tidegate.console;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who looks on: room for a few frames between the thread that makes them and the one that writes them. If it
 * is full, all of them go, and the viewer is told everything anew once it has written what it is at. So one that does
 * not read holds what is being written to it, and no more.
 */
final class Viewer {
    /** How many frames may wait. */
    static final int ROOM = 3;

    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    private final Runnable onWant;
    private boolean current;
    private boolean waits;
    private boolean closed;

    Viewer(Runnable onWant) {
        this.onWant = onWant;
    }

    /** Whether everything must be sent to it, and it can take that now. */
    synchronized boolean wantsEverything() {
        return !current && waits && !closed;
    }

    synchronized void everything(byte[] frame) {
        current = true;
        frames.addLast(frame);
        notifyAll();
    }

    /** The next frame; for one that waits for everything, nothing. */
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

    /** Waits for a frame; null if it is over. */
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
            while (frames.isEmpty() && !closed) {
                wait();
            }
            waits = false;
            return closed ? null : frames.pollFirst();
        }
    }

    /** How many frames wait. */
    synchronized int held() {
        return frames.size();
    }

    synchronized void close() {
        closed = true;
        frames.clear();
        notifyAll();
    }
}
