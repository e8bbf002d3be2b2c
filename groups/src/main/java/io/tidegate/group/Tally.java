package io.tidegate.group;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts tasks, and knows when none is left. */
final class Tally {
    /*
     * A task is counted as entered before it can get in, and as ended, rejected or turned away after that. One that is
     * rejected and run by its caller all the same is counted as run before that, and ends once more. All are over when
     * the sums agree. `run` and `entered` are read last, and all only rise: if they agree, everything that had entered
     * by the last look was over by the first.
     *
     * A task that itself waits for the end of all is not waited for by others that do, or two of them would wait for
     * each other. Those outside wait for it too.
     *
     * Whoever waits looks at the sums under the lock; whoever ends a task adds first, and then takes the lock to wake
     * those who wait, if there are any: `waiters` is written before the look, and read after the sum was changed.
     *
     * What is written for each submission and what is written for each end are apart from each other, or they would
     * share a line of the cache.
     */
    private final LongAdder entered = new LongAdder();
    private final LongAdder turnedAway = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder run = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder ended = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicInteger waiters = new AtomicInteger();
    private long waitingInside;

    /** The task comes in, if it is let. */
    void entered() {
        entered.increment();
    }

    /** The task was not let in, and counts for nothing. */
    void turnedAway() {
        turnedAway.increment();
        wake();
    }

    /** The task's end is decided; it will be shown. */
    void completed() {
        completed.increment();
    }

    void rejected() {
        rejected.increment();
        wake();
    }

    /** The task was refused and its caller runs it: its end is still to be seen. */
    void rejectedAndRun() {
        run.increment();
        rejected.increment();
    }

    /** The task's end can be seen. */
    void ended() {
        ended.increment();
        wake();
    }

    private void wake() {
        if (waiters.get() > 0) {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Waits until all have ended, but for those the caller is inside of.
     *
     * @param inside how many those are
     * @return false if the time was up first
     */
    boolean awaitEnd(long inside, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            waiters.incrementAndGet();
            waitingInside += inside;
            changed.signalAll();
            long left = nanos;
            while (unended() > (inside > 0 ? waitingInside : 0)) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            waitingInside -= inside;
            waiters.decrementAndGet();
            lock.unlock();
        }
    }

    /** The same, for as long as it takes and whatever comes. */
    void awaitEndUninterruptibly(long inside) {
        boolean interrupted = false;
        for (boolean over = false; !over; ) {
            try {
                over = awaitEnd(inside, TimeUnit.DAYS.toNanos(1));
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private long unended() {
        long over = ended.sum() + rejected.sum() + turnedAway.sum();
        return run.sum() + entered.sum() - over;
    }

    GroupExecutorStats stats(int groups, int running, int waiting, int inFlight) {
        long refused = rejected.sum();
        long over = completed.sum();
        long submitted = entered.sum() - turnedAway.sum();
        return new GroupExecutorStats(groups, running, waiting, inFlight, submitted, over, refused);
    }
}
