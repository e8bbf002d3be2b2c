package io.tidegate.console;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that serve requests: a bounded number, and none while there are no requests.
 *
 * <p>On these threads the JDK's server reads requests and writes answers with blocking channels. Its own limits for
 * that time are properties of the whole process. But an interrupt closes such a channel. So each thread notes when it
 * begins to wait for the client, and a guard interrupts a thread that has waited for too long: after {@value
 * #PATIENCE_SECONDS} seconds, much sooner while a request waits for a thread, and sooner still in a flood. So clients
 * that send or read slowly never keep others out.
 */
final class Workers implements Executor, AutoCloseable {
    /** How long a client may keep a thread waiting. */
    static final int PATIENCE_SECONDS = 10;

    /** The most threads: one for each viewer, and some for other requests. */
    static final int MOST = FrameLoop.MOST_VIEWERS + 40;

    private static final int MOST_WAITING = 10_000;

    /** In a flood, when more requests wait than there are threads, clients get this fraction of their time. */
    private static final int FLOOD = 10;

    private static final long IDLE_MILLIS = 10_000;
    private static final long GUARD_MILLIS = 100;

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final Set<Worker> workers = new LinkedHashSet<>();
    private final long patienceNanos;
    private @Nullable Thread guard;
    private volatile List<Thread> ending = List.of();
    private int idle;
    private int made;
    private boolean closed;

    /** What a worker is doing. */
    private enum Doing {
        /** Works on its own and does not wait for the client. */
        OWN(Long.MAX_VALUE),
        RECEIVING(TimeUnit.MILLISECONDS.toNanos(200)),
        SENDING(TimeUnit.SECONDS.toNanos(1));

        /** How long the client may take while another request needs the thread. */
        final long whenNeeded;

        Doing(long whenNeeded) {
            this.whenNeeded = whenNeeded;
        }
    }

    Workers(Duration patience) {
        this.patienceNanos = patience.toNanos();
    }

    @Override
    public synchronized void execute(Runnable task) {
        if (closed || waiting.size() == MOST_WAITING) {
            throw new RejectedExecutionException("console is closed or flooded");
        }
        waiting.addLast(task);
        if (idle >= waiting.size()) {
            notifyAll();
        } else if (workers.size() < MOST) {
            Worker worker = new Worker("tidegate-console-" + ++made);
            workers.add(worker);
            worker.start();
            startGuard();
        }
    }

    private void startGuard() {
        if (guard == null) {
            guard = new Thread(this::guard, "tidegate-console-guard");
            guard.setDaemon(true);
            guard.start();
        }
    }

    /** Notes that the present thread begins to wait for the client to send. */
    static void receiving() {
        doing(Doing.RECEIVING);
    }

    /** Notes that the present thread begins to wait for the client to read. */
    static void sending() {
        doing(Doing.SENDING);
    }

    /**
     * Notes that the present thread waits for no client. Code of parts may take as long as it likes: it is never
     * interrupted.
     */
    static void own() {
        doing(Doing.OWN);
    }

    private static void doing(Doing what) {
        if (Thread.currentThread() instanceof Worker worker) {
            worker.doing(what);
        }
    }

    /* Watches the workers until the last one has ended. */
    private synchronized void guard() {
        while (!workers.isEmpty()) {
            long now = System.nanoTime();
            int needed = waiting.size() - idle;
            int hurry = needed > MOST ? FLOOD : 1;
            workers.forEach(worker -> worker.cutIfTooLong(now, needed > 0, hurry));
            try {
                wait(GUARD_MILLIS / hurry);
            } catch (InterruptedException nobodyDoesThat) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        guard = null;
    }

    private synchronized @Nullable Runnable next(Worker worker) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
        idle++;
        try {
            while (waiting.isEmpty()) {
                long left = until - System.nanoTime();
                if (closed || left <= 0) {
                    workers.remove(worker);
                    notifyAll();
                    return null;
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
            return waiting.removeFirst();
        } finally {
            idle--;
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        waiting.clear();
        List<Thread> left = new ArrayList<>(workers);
        if (guard != null) {
            left.add(guard);
        }
        ending = left;
        workers.forEach(Worker::cutIfWaiting);
        notifyAll();
    }

    /** Waits until the threads that existed at the close have ended, or until the time is up. */
    void join(long millis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (Thread thread : ending) {
            long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
            if (!thread.equals(Thread.currentThread()) && left > 0) {
                thread.join(left);
            }
        }
    }

    private final class Worker extends Thread {
        private Doing doing = Doing.OWN;
        private long since;

        Worker(String name) {
            super(name);
            setDaemon(true);
        }

        @Override
        public void run() {
            try {
                for (Runnable task = next(this); task != null; task = next(this)) {
                    doing(Doing.RECEIVING);
                    try {
                        task.run();
                    } finally {
                        doing(Doing.OWN);
                    }
                }
            } catch (InterruptedException closing) {
                remove();
            } catch (Throwable broken) {
                remove();
                throw broken;
            }
        }

        private void remove() {
            synchronized (Workers.this) {
                workers.remove(this);
                Workers.this.notifyAll();
            }
        }

        synchronized void doing(Doing what) {
            doing = what;
            since = System.nanoTime();
            if (what == Doing.OWN) {
                interrupted(); // the interrupt was meant for the wait that is over
            }
        }

        synchronized void cutIfWaiting() {
            if (doing != Doing.OWN) {
                interrupt();
            }
        }

        synchronized void cutIfTooLong(long now, boolean isNeeded, int hurry) {
            long patience = isNeeded ? Math.min(patienceNanos, doing.whenNeeded / hurry) : patienceNanos;
            if (doing != Doing.OWN && now - since >= patience) {
                interrupt();
            }
        }
    }
}
