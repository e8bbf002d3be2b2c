package io.tidegate.console;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that serve requests: a bounded number, none while there are no requests.
 *
 * <p>The JDK's server reads a request and writes an answer with blocking channels, on these threads, and has no limits
 * on how long that takes but in properties of the whole process. An interrupt closes such a channel, though. So each
 * thread says when it begins to wait for the other side, and one that has waited for too long is interrupted: by a
 * guard after {@value #PATIENCE_SECONDS} seconds; and after {@value #SHORT_PATIENCE_MILLIS} milliseconds already, the
 * one that has waited longest for its request, when somebody comes for whom there is no thread. Those who send slowly
 * thus never keep others out.
 */
final class Workers implements Executor, AutoCloseable {
    /** How long the other side may keep a thread waiting. */
    static final int PATIENCE_SECONDS = 10;

    /** How long it may do so before its request is there, when the thread is needed. */
    static final int SHORT_PATIENCE_MILLIS = 200;

    /** The most threads: one for each viewer, and some for all else. */
    static final int MOST = Watch.MOST_VIEWERS + 16;

    private static final int MOST_WAITING = 1_000;
    private static final long IDLE_MILLIS = 10_000;
    private static final long GUARD_MILLIS = 100;

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final Set<Worker> workers = new LinkedHashSet<>();
    private final long patienceNanos;
    private @Nullable Thread guard;
    private int idle;
    private int made;
    private boolean closed;

    /** What a worker is doing. */
    private enum Doing {
        /** Nothing that others could keep it from. */
        OWN,
        RECEIVING,
        SENDING
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

    /** Lets the present thread wait for the other side, which must take what is sent. */
    static void sending() {
        doing(Doing.SENDING);
    }

    /** Lets the present thread do something else, for as long as it likes. */
    static void own() {
        doing(Doing.OWN);
    }

    private static void doing(Doing what) {
        if (Thread.currentThread() instanceof Worker worker) {
            worker.doing(what);
        }
    }

    /* Ends with the last worker. */
    private synchronized void guard() {
        while (!workers.isEmpty()) {
            long now = System.nanoTime();
            workers.forEach(worker -> worker.cutIfOlder(patienceNanos, now, false));
            if (!waiting.isEmpty() && idle == 0) {
                cutSlowest(now);
            }
            try {
                wait(GUARD_MILLIS);
            } catch (InterruptedException nobodyDoesThat) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        guard = null;
        notifyAll();
    }

    /* As many as wait for a thread; workers are in the order of their making, which says nothing, so all are looked at. */
    private void cutSlowest(long now) {
        List<Worker> slow = workers.stream()
                .filter(Worker::isReceiving)
                .sorted((a, b) -> Long.compare(now - b.since, now - a.since))
                .limit(waiting.size())
                .toList();
        slow.forEach(worker -> worker.cutIfOlder(TimeUnit.MILLISECONDS.toNanos(SHORT_PATIENCE_MILLIS), now, true));
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
        closed = true;
        waiting.clear();
        workers.forEach(Thread::interrupt);
        notifyAll();
    }

    /** Waits for all threads to end, or until the time is up. */
    synchronized void join(long millis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (!workers.isEmpty() || guard != null) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                return;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private final class Worker extends Thread {
        private Doing doing = Doing.OWN;
        private volatile long since;

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
                interrupted(); // was for what it waited for
            }
        }

        synchronized boolean isReceiving() {
            return doing == Doing.RECEIVING;
        }

        synchronized void cutIfOlder(long nanos, long now, boolean receivingOnly) {
            boolean waits = receivingOnly ? doing == Doing.RECEIVING : doing != Doing.OWN;
            if (waits && now - since >= nanos) {
                interrupt();
            }
        }
    }
}
