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
     * waited for a lock and could have it now. The latter would keep others from the lock, too, on carriers or not.
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
     * Unknown things may hold up a thread: the operating system has stopped a carrier, or there is a flood of other
     * threads. So no thread is held for ever: each has a turn after a while, which is longer the more there are, so
     * that these turns alone do not fill a carrier. A thread that is late for very long has another reason, and does
     * not count.
     *
     * All executors share one scheduler, and so they share this object.
     */
    static final PendingThreads ALL = new PendingThreads();

    private static final int HELD_TURNS = 20;

    private static final int MOST_HELD_TURNS = 1_000;
    private static final long SAME_TIME_NANOS = 4 * Runner.TURN_NANOS;
    private static final long TOO_LATE_NANOS = 10_000 * Runner.TURN_NANOS;

    private final Queue<PendingThread> unbegun = new ConcurrentLinkedQueue<>();
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final AtomicInteger heldNow = new AtomicInteger();

    /**
     * A held thread. One that leaves stays in the queue until it is first: a search would take long in a long queue.
     */
    private static final class Held {
        volatile @Nullable Thread thread = Thread.currentThread();
        volatile boolean queued;
    }

    private PendingThreads() {}

    /** The thread was started. Without memory for that it is nobody's concern when it begins. */
    void add(PendingThread start) {
        try {
            unbegun.add(start);
        } catch (OutOfMemoryError unknown) {
            return;
        }
        if (start.begun) {
            late(); // removes threads that have begun
        }
    }

    /**
     * Waits until this thread, whose start it is, may begin. Returns whether others are late: then it must be quick.
     */
    boolean begin(PendingThread start) {
        if (mustWait(start)) {
            start.held = Thread.currentThread();
            hold(start);
            start.held = null;
        }
        return begun(start);
    }

    /** The thread runs. Returns whether others are late. */
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

    /** For a thread that must wait, and then go on, whatever happens here. Returns null if there is no memory. */
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

    /** For a thread between two of its tasks: returns when no thread is late. */
    void letLateOnesBegin() {
        if (mustWait(null)) {
            hold(null);
        }
    }

    /** A virtual thread's yield lets others have the carrier, if there is memory for that. */
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

    /* Without memory no thread is held: a task matters more than fairness. */
    private void hold(@Nullable PendingThread start) {
        Held me;
        try {
            me = new Held();
        } catch (OutOfMemoryError unheld) {
            return;
        }
        long since = System.nanoTime();
        int turns = (int) Math.min(MOST_HELD_TURNS, (long) HELD_TURNS * heldNow.incrementAndGet());
        long most = turns * Runner.TURN_NANOS;
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
                Thread.interrupted(); // no task of ours was meant
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
     * The iterator removes its current element, even if another thread has; the queue would search for that to its end.
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
        return start != null && System.nanoTime() - start.at >= Runner.TURN_NANOS ? start : null;
    }
}
