package io.tidegate.group;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that were started and have not begun. While one of them is late, no thread of the executor runs for
 * long.
 */
final class PendingThreads {
    /*
     * The scheduler of virtual threads has many queues. A carrier serves its own until that is empty, and then the one
     * it took from last, until that is empty, too. A thread that yields goes to one of the two. So a few threads that
     * never block keep a carrier to themselves, and a thread in another queue never runs: a new one, or one that has
     * waited for a lock and could have it now. The latter would keep all others from the lock, too.
     *
     * Therefore a thread that should have begun a turn ago is late. From then on every other thread is held here when
     * it begins, ends its turn, or has yielded: it parks, and is in no queue. Soon all carriers run out of threads,
     * look into all queues, and find the late one. A late thread needs nothing but a carrier: a younger one never holds
     * it. Threads that were started at about the same time are not held either, because in a burst all are late.
     *
     * A thread that begins wakes the oldest thread still to begin, if that one is late and held, and all the others
     * when no thread is late any more. Both sides write first and then look: the flag `begun` on one side, the entry
     * among the held threads on the other.
     *
     * Other things may hold up a thread: the operating system has stopped a carrier, or there is a flood of other
     * threads. So no thread is held for ever: each has a turn after a while, which is longer the more there are, so
     * that these turns alone do not fill a carrier. A thread that is late for very long has another reason, and does
     * not count.
     *
     * All executors share one scheduler, and so they share this object.
     */
    static final PendingThreads ALL = new PendingThreads();

    private static final int HELD_TURNS = 20;

    private static final int MOST_HELD_TURNS = 1_000;
    private static final long SAME_TIME_NANOS = 4 * TaskLoop.TURN_NANOS;
    private static final long TOO_LATE_NANOS = 10_000 * TaskLoop.TURN_NANOS;

    private final Queue<PendingThread> unbegun = new ConcurrentLinkedQueue<>();
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger heldNow = new AtomicInteger();

    /**
     * A held thread. One that is no longer held stays in the queue until it is first: a search would take long in a
     * long queue.
     */
    private static final class Held {
        volatile @Nullable Thread thread = Thread.currentThread();
        volatile boolean queued;
    }

    private PendingThreads() {}

    /**
     * Notes that the thread was started. If there is no memory for the note, no other thread makes way for this one.
     */
    void add(PendingThread start) {
        try {
            unbegun.add(start);
        } catch (OutOfMemoryError unknown) {
            return;
        }
        if (start.begun) {
            late(); // removes the threads that have begun
        }
    }

    /**
     * Waits until the current thread may begin. Returns whether others are late: then its turn must be short.
     */
    boolean begin(PendingThread start) {
        if (mustWait(start)) {
            start.held = Thread.currentThread();
            hold(start);
            start.held = null;
        }
        return begun(start);
    }

    /** Notes that the current thread runs. Returns whether others are late. */
    boolean begun(PendingThread start) {
        start.begun = true;
        PendingThread late = late();
        try {
            if (late == null) {
                wakeAll();
            } else {
                LockSupport.unpark(late.held);
            }
        } catch (OutOfMemoryError unwoken) {
            // held threads have a turn after a while
        }
        return late != null;
    }

    /**
     * Notes that the current thread is about to wait and will need a carrier again. Returns null if there is no memory.
     */
    @Nullable
    PendingThread tryAdd() {
        try {
            PendingThread start = new PendingThread();
            add(start);
            return start;
        } catch (OutOfMemoryError unknown) {
            return null;
        }
    }

    /** Called between two tasks of a thread: returns when no thread is late, or after a while. */
    void letLateOnesBegin() {
        if (mustWait(null)) {
            hold(null);
        }
    }

    /** Yields the carrier to other threads, if there is memory for that. */
    @SuppressWarnings("ThreadPriorityCheck") // without it a thread that this one waits for may never come to run
    static void giveWay() {
        try {
            Thread.yield();
        } catch (OutOfMemoryError stays) {
            // goes on
        }
    }

    private boolean mustWait(@Nullable PendingThread start) {
        PendingThread late = late();
        return late != null && (start == null || start.at - late.at > SAME_TIME_NANOS);
    }

    /* If there is no memory, the thread is not held: its task matters more than fairness. */
    private void hold(@Nullable PendingThread start) {
        Held me;
        try {
            me = new Held();
        } catch (OutOfMemoryError unheld) {
            return;
        }
        long since = System.nanoTime();
        int turns = (int) Math.min(MOST_HELD_TURNS, (long) HELD_TURNS * heldNow.incrementAndGet());
        long most = turns * TaskLoop.TURN_NANOS;
        try {
            for (long left = most; left > 0; left = most - (System.nanoTime() - since)) {
                if (!me.queued) {
                    me.queued = true;
                    held.add(me);
                }
                if (!mustWait(start)) {
                    break;
                }
                LockSupport.parkNanos(this, left);
                Thread.interrupted(); // no task runs here that the interrupt could be meant for
            }
        } catch (OutOfMemoryError unheld) {
            // goes on
        } finally {
            me.thread = null;
            heldNow.decrementAndGet();
        }
        removeLeft();
    }

    private void wakeAll() {
        for (Held one = held.poll(); one != null; one = held.poll()) {
            one.queued = false;
            LockSupport.unpark(one.thread);
        }
    }

    private void removeLeft() {
        for (Held one = held.peek(); one != null && one.thread == null; one = held.peek()) {
            if (!held.remove(one)) {
                return;
            }
        }
    }

    /** Returns the oldest thread that has not begun, if it is late. */
    private @Nullable PendingThread late() {
        PendingThread first = unbegun.peek();
        return first == null || isAwaited(first) ? ifLate(first) : lateAfterBegun();
    }

    /*
     * Removal goes through the iterator, which has the element at hand. If another thread has removed the element
     * already, the queue's own removal would search to the end.
     */
    private @Nullable PendingThread lateAfterBegun() {
        try {
            for (Iterator<PendingThread> all = unbegun.iterator(); all.hasNext(); ) {
                PendingThread one = all.next();
                if (isAwaited(one)) {
                    return ifLate(one);
                }
                all.remove();
            }
        } catch (OutOfMemoryError unknown) {
            // the next thread looks again
        }
        return null;
    }

    private static boolean isAwaited(PendingThread start) {
        return !start.begun && System.nanoTime() - start.at < TOO_LATE_NANOS;
    }

    private static @Nullable PendingThread ifLate(@Nullable PendingThread start) {
        return start != null && System.nanoTime() - start.at >= TaskLoop.TURN_NANOS ? start : null;
    }
}
