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
     * The scheduler of virtual threads has many queues. A carrier serves its own until that is empty, and then stays
     * with the one it took from last until that is empty, too. A thread that yields goes to one of the two. So a few
     * threads that never block keep a carrier to themselves for good, and a thread that is in another queue never runs:
     * a new one, or one that has waited for a lock and could have it now. The latter would keep others from the lock,
     * too, be they on carriers or not.
     *
     * Therefore a thread that was to run a turn ago and has not begun is late, and from then on every other one is held
     * here when it begins, ends its turn, or has yielded: parked, in no queue. Soon all carriers have run out of these,
     * look into all queues, and find the late one. It needs nothing but a carrier: it is never held by a younger one.
     * Those that were started at about the same time are not held either, since in a burst all are late.
     *
     * A thread that begins wakes the oldest of those that are still to begin, if that is late and held, and the others
     * when no thread is late any more. Both sides write first and then look: the flag `begun` on the one, the place
     * among the held on the other.
     *
     * A thread may be held up by what we do not know of: a carrier that the operating system has stopped, or a flood of
     * threads of others. So no thread is held for ever: each has a turn after a while, which is longer the more there
     * are, so that they do not fill a carrier by their turns alone. And who is late for very long is so for another
     * reason.
     *
     * All executors share one scheduler, and so they share this.
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
     * One that is held. Who leaves stays in the queue until it is first there: to look for it would take long in a long
     * one.
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
            late(); // looks for begun ones, and keeps none
        }
    }

    /** Returns when this thread, whose start it is, may begin. Says whether others are late: then it must be quick. */
    boolean begin(PendingThread start) {
        if (mustWait(start)) {
            start.held = Thread.currentThread();
            hold(start);
            start.held = null;
        }
        return begun(start);
    }

    /** The thread runs. Says whether others are late. */
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
            // those who are held have a turn after a while
        }
        return late != null;
    }

    /** For a thread that must wait, and go on thereafter, whatever happens here. Returns null if there is no memory. */
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

    /* Without memory no thread is held: fairness is less than a task. */
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
                Thread.interrupted(); // meant for no task of ours
            }
        } catch (OutOfMemoryError unheld) {
            // goes on
        } finally {
            me.thread = null;
            heldNow.decrementAndGet();
        }
        dropWhoHasLeft();
    }

    private void wakeAll() {
        for (Held one = held.poll(); one != null; one = held.poll()) {
            one.queued = false;
            LockSupport.unpark(one.thread);
        }
    }

    private void dropWhoHasLeft() {
        for (Held one = held.peek(); one != null && one.thread == null; one = held.peek()) {
            if (!held.remove(one)) {
                return;
            }
        }
    }

    /** Returns the oldest of those that have not begun, if it is late. */
    private @Nullable PendingThread late() {
        PendingThread first = unbegun.peek();
        return first == null || isAwaited(first) ? ifLate(first) : lateAfterBegun();
    }

    /* The iterator takes out what it is at, even if another one has; the queue would look for that to its end. */
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
