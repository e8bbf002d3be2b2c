package io.tidegate.lease;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Does what a {@link WorkLease} leaves to its caller: runs what is leased, tells the lease how it ended, follows the hints, tries again
 * when it is time, and hands over what failed for good. Has no thread and no timer of its own.
 *
 * <pre>{@code
 * LeaseRunner runner = LeaseRunner.builder(lease, task, executor, scheduler).build();
 * runner.offer(customerId, offset); // for each message; when it returns, the message can be acknowledged
 * }</pre>
 *
 * <p>Within a domain one attempt runs at a time, in the order in which the lease gives the offsets out, and what an attempt did is seen by
 * the next. Domains run beside each other, as many as the executor lets. An attempt that does not return holds its domain for good, and
 * only that: give the work a time limit of its own.
 *
 * <p>Use one runner for the leases of a process. In memory a lease shows its token to all who ask, so a second runner would take the work
 * of the first for left behind, and run it too.
 *
 * <p>A {@link SharedWorkLease} is prolonged three times within its duration while an attempt runs or its retry is waited for, on the scheduler's
 * thread. What another process holds is asked for again later, by the backoff rule.
 *
 * <p>Thread-safe. The lease is called by the thread that offers and by the executor's, one at a time for each domain; others wait for it,
 * uninterruptibly. Tasks, handlers and listeners run with nothing held and may call the runner. An attempt that ends
 * with an {@link InterruptedException} has failed, and leaves its thread interrupted.
 */
public interface LeaseRunner {
    /** The longest first wait in milliseconds, unless a {@link Backoff} is set: {@value}. */
    int DEFAULT_FIRST_DELAY_MILLIS = 200;

    /** The longest wait in seconds, unless a {@link Backoff} is set: {@value}. */
    int DEFAULT_MAX_DELAY_SECONDS = 60;

    /**
     * Returns a builder of a runner.
     *
     * @param executor runs the attempts. One that refuses is tried again later and costs no retry; one that runs things at once is fine, too:
     *     attempts on one thread then follow each other, they do not nest
     * @param scheduler hands over to the executor when a wait ends. An executor that refuses has the backoff rule and the listener called on the
     *     scheduler's thread, and one that runs things at once the attempt
     */
    static Builder builder(WorkLease lease, LeaseTask task, Executor executor, ScheduledExecutorService scheduler) {
        return new RunnerBuilder(lease, task, executor, scheduler);
    }

    /**
     * Asks the lease for an offset and sees that it is worked on: at once, or when its turn comes. If other offsets are before it which nobody
     * has asked for, they are. What a runner that died has left behind in the domain is taken up.
     *
     * @return what the lease answered: the offset is in its hands now
     * @throws RuntimeException what the lease throws; offer the offset again
     * @throws IllegalStateException if the runner was stopped
     */
    AcquireResult offer(String domainId, long offset);

    /**
     * {@link WorkLease#replay}, and sees that the offset is worked on.
     *
     * @return false when the offset has not failed
     * @throws IllegalStateException if the runner was stopped
     */
    boolean replay(String domainId, long offset);

    /**
     * Takes up what a runner before this one has left behind in a domain, without a new offset: what is leased, or the head of the backlog.
     *
     * @return false when there is nothing to do
     * @throws IllegalStateException if the runner was stopped
     */
    boolean resume(String domainId);

    /**
     * Stops for good. No attempt begins any more, no hint is followed, and waits for a retry are over. Attempts that run go on to their end, which the lease
     * is told, if need be again until it can be reached. What is left stays leased and queued, for another runner.
     *
     * <p>May be called again, and by a task, which must not wait for the stage.
     *
     * @return ends when the last attempt has ended and the lease is not called any more
     */
    CompletionStage<Void> stop();

    /** Returns what the runner is doing and has done. */
    LeaseRunnerStats stats();

    /** Settings of a new runner. Not thread-safe. */
    interface Builder {
        /**
         * How long to wait before each retry, and before asking a lease or an executor again that refused. Default:
         * {@link Backoff#exponential} from {@value LeaseRunner#DEFAULT_FIRST_DELAY_MILLIS} ms to {@value LeaseRunner#DEFAULT_MAX_DELAY_SECONDS} s.
         * In place of a delay that is null, negative or thrown the default is taken.
         */
        Builder backoff(Backoff backoff);

        /** Gets what failed for good. Default: nobody; the lease knows it as failed. */
        Builder parking(ParkingHandler handler);

        /** Is told what happens; the last one given counts. Default: nobody is told. */
        Builder listener(LeaseRunnerListener listener);

        /** Returns a new runner. */
        LeaseRunner build();
    }
}
