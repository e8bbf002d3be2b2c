package io.tidegate.group;

import static java.util.Objects.requireNonNull;

import io.tidegate.Reading;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/** Counts tasks, and knows when none is left. */
final class TaskCounts {
    /*
     * A task is counted as entered before it can enter its group, and as ended, rejected or turned away after that. A
     * task that is rejected and still awaited, because its submitter runs it or it had waited, is counted as awaited
     * before that, and ends once more. All tasks are over when the sums agree. `awaited` and `entered` are read last,
     * and all sums only rise: if they agree, everything that had entered by the last look was over by the first.
     *
     * Some tasks may be excused: see EnclosingTasks. Which ones is determined after the sums were read, so a task that
     * is excused then had not ended when the sums were read.
     *
     * A waiting thread is among the `waiters` before it looks at the sums; a thread that ends a task adds to a sum
     * first, and then wakes the threads it finds among the waiters. Some processors may read the waiters before the sum
     * is written, so that thread may find none; therefore a waiting thread looks again now and then. There is no lock:
     * parking a virtual thread with a deep stack can throw, and a lock's queue would not survive that.
     *
     * The counts written for each submission and those written for each end are apart from each other; otherwise they
     * would share a cache line.
     */
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Tally entered = new Tally();
    private final Tally turnedAway = new Tally();
    private final Map<String, Tally> rejected = Map.of(
            RejectedTaskException.GROUP_QUEUE, new Tally(),
            RejectedTaskException.GLOBAL_QUEUE, new Tally(),
            RejectedTaskException.WAIT_TIMEOUT, new Tally());
    private final Tally awaited = new Tally();
    private final Tally completed = new Tally();
    private final Tally ended = new Tally();
    private final Queue<Thread> waiters = new ConcurrentLinkedQueue<>();

    /** Called before the task can enter its group. */
    void entered() {
        entered.increment();
    }

    /** The task did not enter its group, and does not count. */
    void turnedAway() {
        turnedAway.increment();
        wake();
    }

    /** The task's end is decided and will become visible. */
    void completed() {
        completed.increment();
    }

    void rejected(String code) {
        countRejected(code);
        wake();
    }

    /** The task was refused, and its end is still awaited. */
    void rejectedAndAwaited(String code) {
        awaited.increment();
        countRejected(code);
    }

    private void countRejected(String code) {
        requireNonNull(rejected.get(code), code).increment();
    }

    private long allRejected() {
        long sum = 0;
        for (Tally ofCode : rejected.values()) {
            sum += ofCode.sum();
        }
        return sum;
    }

    /** Reports how many were rejected, by code. */
    void readRejected(Reading to) {
        rejected.forEach((code, count) -> to.count("refused", count.sum(), "code", code));
    }

    /** The task's end is visible. */
    void ended() {
        ended.increment();
        wake();
    }

    /** Lets waiting threads look again. */
    void wake() {
        if (!waiters.isEmpty()) {
            try {
                waiters.forEach(LockSupport::unpark);
            } catch (OutOfMemoryError unwoken) {
                // a waiting thread looks again now and then
            }
        }
    }

    /**
     * Waits until all tasks have ended, except those that are excused.
     *
     * @param excuses whether all of this many tasks are excused
     * @return false if the time was up first
     */
    boolean awaitEnd(LongPredicate excuses, long nanos) throws InterruptedException {
        Thread me = Thread.currentThread();
        long start = System.nanoTime();
        waiters.add(me);
        try {
            wake();
            for (; ; ) {
                long unended = unended();
                if (unended == 0 || excuses.test(unended)) {
                    return true;
                }
                long left = nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                LockSupport.parkNanos(this, Math.min(left, LOOK_AGAIN_NANOS));
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            waiters.remove(me);
        }
    }

    /** As {@link #awaitEnd}, uninterruptibly and without a limit. */
    void awaitEndUninterruptibly(LongPredicate excuses) {
        boolean interrupted = false;
        for (boolean over = false; !over; ) {
            try {
                over = awaitEnd(excuses, TimeUnit.DAYS.toNanos(1));
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private long unended() {
        long over = ended.sum() + allRejected() + turnedAway.sum();
        return awaited.sum() + entered.sum() - over;
    }

    long allCompleted() {
        return completed.sum();
    }

    GroupExecutorStats stats(int groups, int running, int waiting, int inFlight) {
        long refused = allRejected();
        long over = allCompleted();
        long submitted = entered.sum() - turnedAway.sum();
        return new GroupExecutorStats(groups, running, waiting, inFlight, submitted, over, refused);
    }
}
