package io.tidegate.console;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tidegate.Registry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The thread that makes frames. While there are viewers, it has the parts read once a second and gives all viewers the
 * same frame. A single request gets a reading that begins after the request, and shares it with all other requests made
 * by then. Without viewers and requests, nothing is read.
 */
final class FrameLoop implements AutoCloseable {
    /** The most viewers at a time. */
    static final int MOST_VIEWERS = 32;

    /** The time from one frame to the next, if frames are short. */
    static final long FRAME_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** After a silence this long a viewer gets a sign that the connection works. */
    private static final long SILENCE_MILLIS = 5_000;

    /** The most bytes a second to a viewer, on average. */
    static final long BYTES_A_SECOND = 180_000;

    /** The shortest pause between two readings, however many requests there are. */
    private static final long GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The pause after a reading is at least this many times as long as the reading. */
    private static final int PAUSES = 4;

    private static final Logger LOG = System.getLogger(Console.class.getName());

    private final LiveParts liveParts;
    private final Registry registry;
    private final Runnable onChange = this::lookAgain;
    private final Thread thread = new Thread(this::run, "tidegate-console-reader");
    private final List<Viewer> viewers = new ArrayList<>();
    private List<CompletableFuture<byte[]>> asked = new ArrayList<>();
    private boolean wanted;
    private boolean otherParts;
    private boolean closed;
    private long notBefore = System.nanoTime();
    private long nextFrame = notBefore;

    FrameLoop(LiveParts liveParts, Registry registry) {
        this.liveParts = liveParts;
        this.registry = registry;
        thread.setDaemon(true);
    }

    void start() {
        liveParts.look();
        registry.onChange(onChange);
        thread.start();
    }

    /** Returns everything, from a reading that begins after this call. */
    synchronized CompletableFuture<byte[]> ask() {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        if (closed) {
            answer.cancel(false);
        } else {
            asked.add(answer);
            notifyAll();
        }
        return answer;
    }

    /** Adds a viewer; null if there are too many. */
    synchronized @Nullable Viewer join() {
        if (closed || viewers.size() == MOST_VIEWERS) {
            return null;
        }
        Viewer viewer = new Viewer(this::want, SILENCE_MILLIS);
        viewers.add(viewer);
        return viewer;
    }

    synchronized void leave(Viewer viewer) {
        viewers.remove(viewer);
    }

    /** Returns the number of viewers. */
    synchronized int viewers() {
        return viewers.size();
    }

    private synchronized void want() {
        wanted = true;
        notifyAll();
    }

    private synchronized void lookAgain() {
        otherParts = true;
        notifyAll();
    }

    /** Returns how long to wait after a frame of so many bytes. */
    static long pause(int bytes) {
        return Math.max(FRAME_NANOS, TimeUnit.SECONDS.toNanos(bytes) / BYTES_A_SECOND);
    }

    private void run() {
        List<CompletableFuture<byte[]>> toAnswer = List.of();
        while (true) {
            List<Viewer> present;
            boolean reads;
            boolean frames;
            long begin;
            synchronized (this) {
                if (!awaitWork()) {
                    return;
                }
                begin = System.nanoTime();
                frames = !viewers.isEmpty() && nextFrame - begin <= 0;
                reads = frames || wanted || !asked.isEmpty();
                toAnswer = asked;
                asked = new ArrayList<>();
                present = List.copyOf(viewers);
                wanted = false;
                otherParts = false;
            }
            int sent = 0;
            try {
                sent = round(reads, frames, present, toAnswer);
            } catch (Throwable failure) {
                LOG.log(Level.WARNING, "the parts cannot be shown", failure);
                toAnswer.forEach(answer -> answer.completeExceptionally(failure));
            }
            long end = System.nanoTime();
            notBefore = end + Math.max(GAP_NANOS, PAUSES * (end - begin));
            if (frames) {
                nextFrame = begin + pause(sent);
            }
        }
    }

    private boolean awaitWork() {
        while (!closed) {
            long now = System.nanoTime();
            boolean urgent = wanted || otherParts || !asked.isEmpty();
            long left = Long.MAX_VALUE;
            if (urgent || !viewers.isEmpty()) {
                left = urgent ? notBefore - now : Math.max(nextFrame - now, notBefore - now);
            }
            if (left <= 0) {
                return true;
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException woken) {
                // the loop's thread is never interrupted
            }
        }
        return false;
    }

    private int round(boolean reads, boolean frames, List<Viewer> present, List<CompletableFuture<byte[]>> toAnswer) {
        if (reads) {
            liveParts.read();
        } else {
            liveParts.look();
        }
        if (!toAnswer.isEmpty()) {
            byte[] everything = liveParts.everything();
            toAnswer.forEach(answer -> answer.complete(everything));
        }
        int sent = 0;
        if (frames) {
            byte[] change = event("change", liveParts.change());
            sent = change.length;
            present.forEach(viewer -> viewer.change(change));
        } else if (present.isEmpty()) {
            liveParts.skipChange();
        }
        List<Viewer> anew =
                reads ? present.stream().filter(Viewer::wantsEverything).toList() : List.of();
        if (!anew.isEmpty()) {
            byte[] everything = event("parts", liveParts.everythingBeforeNextChange());
            anew.forEach(viewer -> viewer.everything(everything));
        }
        return sent;
    }

    private static byte[] event(String name, byte[] json) {
        byte[] head = ("event: " + name + "\ndata: ").getBytes(US_ASCII);
        byte[] event = new byte[head.length + json.length + 2];
        System.arraycopy(head, 0, event, 0, head.length);
        System.arraycopy(json, 0, event, head.length, json.length);
        event[event.length - 2] = '\n';
        event[event.length - 1] = '\n';
        return event;
    }

    @Override
    public void close() {
        registry.removeListener(onChange);
        List<CompletableFuture<byte[]>> unanswered;
        synchronized (this) {
            closed = true;
            unanswered = List.copyOf(asked);
            viewers.forEach(Viewer::close);
            notifyAll();
        }
        unanswered.forEach(answer -> answer.cancel(false));
        liveParts.close();
    }

    /** Waits for the thread to end. */
    void join(long millis) throws InterruptedException {
        thread.join(millis);
    }
}
