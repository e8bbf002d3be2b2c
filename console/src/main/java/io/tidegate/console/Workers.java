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
 * The threads that serve requests: a bounded number, none while there are no requests.
 *
 * <p>The JDK's server reads a request and writes an answer with blocking channels, on these threads, and has no limits
 * on how long that takes but in properties of the whole process. An interrupt closes such a channel, though. So each
 * thread says when it begins to wait for the other side, and one that has waited for too long is interrupted: by a
 * guard after {@value #PATIENCE_SECONDS} seconds, and much sooner when somebody comes for whom there is no thread.
 * Those who send or read slowly thus never keep others out.
 */
final class Workers implements Executor, AutoCloseable {
    /** How long the other side may keep a thread waiting. */
    static final int PATIENCE_SECONDS = 10;

    /** The most threads: one for each viewer, and some for all else. */
    static final int MOST = Watch.MOST_VIEWERS + 40;

    private static final int MOST_WAITING = 1_000;
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
        /** Nothing that the other side could keep it from. */
        OWN(Long.MAX_VALUE),
        RECEIVING(TimeUnit.MILLISECONDS.toNanos(200)),
        SENDING(TimeUnit.SECONDS.toNanos(1));

        /** How long the other side may take, if the thread is needed. */
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

    /** Lets the present thread wait for the other side, which must send. */
    static void receiving() {
        doing(Doing.RECEIVING);
    }

    /** Lets the present thread wait for the other side, which must take what is sent. */
    static void sending() {
        doing(Doing.SENDING);
    }

    /** Lets the present thread do something else, for as long as it likes: what parts do is never interrupted. */
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
            boolean isNeeded = waiting.size() > idle;
            workers.forEach(worker -> worker.cutIfTooLong(now, isNeeded));
            try {
                wait(GUARD_MILLIS);
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

    /** Waits until the threads that there were at the close have ended, or until the time is up. */
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
                interrupted(); // was for what it waited for
            }
        }

        synchronized void cutIfWaiting() {
            if (doing != Doing.OWN) {
                interrupt();
            }
        }

        synchronized void cutIfTooLong(long now, boolean isNeeded) {
            long patience = isNeeded ? Math.min(patienceNanos, doing.whenNeeded) : patienceNanos;
            if (doing != Doing.OWN && now - since >= patience) {
                interrupt();
            }
        }
    }
}
