package io.tidegate.lease;

import io.tidegate.Backoff;
import io.tidegate.Part;
import io.tidegate.Reading;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Does what a {@link WorkLease} leaves to its caller: runs leased work, reports outcomes to the lease, follows the
 * hints, retries after a pause, and hands over what failed permanently.
 *
 * <pre>{@code
 * LeaseRunner runner = LeaseRunner.builder(lease, task, executor, scheduler).build();
 * runner.completion(customerId, offset).thenAccept(end -> …); // for each message, which can be acknowledged then
 * }</pre>
 *
 * <p>Within a domain one attempt runs at a time, in the order in which the lease gives the offsets out, and what an
 * attempt did is visible to the next. Domains run in parallel, as many as the executor allows. An attempt that does not
 * return holds its domain for ever, and no other: give the work its own time limit.
 *
 * <p>Use one runner for the leases of a process. In memory a lease shows its token to every caller, so a second runner
 * would take the work of the first for abandoned, and run it too.
 *
 * <p>On a {@link SharedWorkLease} the runner renews its leases: at least three times within their duration, while work
 * waits for a thread, runs, or waits for a retry. All leases of a runner are renewed in one round trip, on threads of
 * the library, so neither busy tasks nor a busy scheduler lose them. Work whose lease was lost anyway does not begin;
 * running work can ask {@link LeasedWork#isLost}. An offset that another process holds is asked for again when its
 * lease ends. Abandoned work is found by a sweep, and taken up without a new offer.
 *
 * <p>Thread-safe. The lease is called by the thread that offers and by the executor's threads, one at a time for each
 * domain; others wait uninterruptibly. Tasks, handlers and listeners run with no lock held and may call the runner. An
 * attempt that ends with an {@link InterruptedException} has failed, and leaves its thread interrupted.
 */
public interface LeaseRunner extends Part, AutoCloseable {
    /** The name unless set: {@value}. */
    String DEFAULT_NAME = "lease-runner";

    /** The longest first wait in milliseconds, unless a {@link Backoff} is set: {@value}. */
    int DEFAULT_FIRST_DELAY_MILLIS = 200;

    /** The longest wait in seconds, unless a {@link Backoff} is set: {@value}. */
    int DEFAULT_MAX_DELAY_SECONDS = 60;

    /**
     * How often a runner looks for abandoned work on an engine, in seconds, unless set: {@value}.
     */
    int DEFAULT_SWEEP_SECONDS = 5;

    /**
     * Returns a builder of a runner.
     *
     * @param executor runs the attempts. If it refuses, it is tried again later, without a cost in retries. It may run
     *     tasks at once: attempts on one thread then follow each other, they do not nest
     * @param scheduler hands over to the executor when a wait ends. If the executor refuses, the backoff rule and the
     *     listener run on the scheduler's thread; if it runs tasks at once, the attempt does
     */
    static Builder builder(WorkLease lease, LeaseTask task, Executor executor, ScheduledExecutorService scheduler) {
        return new RunnerBuilder(lease, RunnerBuilder.stage(task), executor, scheduler);
    }

    /**
     * Returns a builder of a runner for a task that needs no thread while it works: an attempt ends with the stage that
     * the task returns.
     */
    static Builder stageBuilder(
            WorkLease lease, StageTask task, Executor executor, ScheduledExecutorService scheduler) {
        return new RunnerBuilder(lease, task, executor, scheduler);
    }

    /**
     * Asks the lease for an offset and runs it: at once, or when its turn comes. Offsets before it that no runner has
     * are run first. Work that a dead runner left in the domain is taken up.
     *
     * @return the answer of the lease, which knows the offset now. If the lease outlives the process, as in a database,
     *     the message can be acknowledged
     * @throws RuntimeException what the lease throws; offer the offset again
     * @throws IllegalStateException if the runner was stopped
     */
    AcquireResult offer(String domainId, long offset);

    /**
     * Offers the offset, unless its completion is already pending, and returns a stage that ends with it: processed or
     * parked, here or elsewhere, or lost. If the offset has already ended, so has the stage.
     *
     * @return ends on a thread of the runner, whose {@link #stop} waits for the stage's continuations: do not wait for
     *     {@code stop} there
     * @throws RuntimeException what the lease throws; call it again
     * @throws IllegalStateException if the runner was stopped
     */
    CompletionStage<Completion> completion(String domainId, long offset);

    /**
     * Replays the offset as {@link WorkLease#replay} does, and runs it when its turn comes.
     *
     * @return false when the offset has not failed
     * @throws IllegalStateException if the runner was stopped
     */
    boolean replay(String domainId, long offset);

    /**
     * Takes up what an earlier runner left in a domain, without a new offset: what is leased, or the head of the
     * backlog.
     *
     * @return false when there is nothing to do
     * @throws IllegalStateException if the runner was stopped
     */
    boolean resume(String domainId);

    /**
     * Drops one domain, until it is offered, resumed or found by a sweep again. A running attempt finishes, and its
     * outcome is reported. An offset that has not begun, or waits for its retry, is given back to an engine, and loses
     * no retry; in memory it stays leased.
     *
     * @return ends when that has happened
     */
    CompletionStage<Void> revoke(String domainId);

    /**
     * Stops permanently. No further attempt begins, no hint is followed, and no retry is waited for. Running attempts
     * finish, and their outcomes are reported, repeatedly until the lease can be reached. Offsets that have not begun,
     * or wait for a retry, are given back to an engine, and lose no retry; in memory they stay leased. The backlog
     * stays, for another runner.
     *
     * <p>May be called again, and by a task, which must not wait for the stage.
     *
     * @return ends when the last attempt has ended and the lease is no longer called
     */
    CompletionStage<Void> stop();

    /** Stops, and waits until the last attempt has ended. A task must not call it. */
    @Override
    void close();

    /** Returns what the runner is doing and has done. */
    LeaseRunnerStats stats();

    /** The name given to the builder, or {@value #DEFAULT_NAME}. */
    @Override
    default String name() {
        return DEFAULT_NAME;
    }

    /** Returns {@code "lease"}. */
    @Override
    default String kind() {
        return "lease";
    }

    @Override
    default void read(Reading to) {
        LeaseRunnerStats stats = stats();
        to.gauge("domains", stats.active());
        to.gauge("in.flight", stats.running());
        to.gauge("waiting", stats.waiting());
        to.count("ended", stats.succeeded(), "outcome", "success");
        to.count("ended", stats.failed(), "outcome", "failure");
        to.count("parked", stats.parked());
        to.count("lost", stats.lost());
    }

    /** Settings of a new runner. Not thread-safe. */
    interface Builder {
        /**
         * Names the runner in measures. Default: {@value LeaseRunner#DEFAULT_NAME}.
         *
         * @throws IllegalArgumentException if it is blank
         */
        Builder name(String name);

        /**
         * How long to wait before each retry, and before a lease or an executor that refused is asked again. Default:
         * {@link Backoff#exponential} from {@value LeaseRunner#DEFAULT_FIRST_DELAY_MILLIS} ms to {@value
         * LeaseRunner#DEFAULT_MAX_DELAY_SECONDS} s. If it throws, or returns null or a negative time, the default
         * applies.
         */
        Builder backoff(Backoff backoff);

        /** Gets what failed permanently. Default: none; the lease keeps the offset as failed. */
        Builder parking(ParkingHandler handler);

        /** Notified of what happens; the last one given counts. Default: none. */
        Builder listener(LeaseRunnerListener listener);

        /**
         * How often to look for abandoned work on an engine. Default: {@value LeaseRunner#DEFAULT_SWEEP_SECONDS} s. In
         * memory there is no sweep.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        Builder sweepEvery(Duration pause);

        /**
         * Deletes failed offsets older than {@code age} from time to time, as {@link WorkLease#deleteFailed} does.
         * Default: failed offsets are kept.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        Builder deleteFailedAfter(Duration age);

        /**
         * Deletes domains in which nothing has happened for {@code age}, from time to time, as {@link
         * WorkLease#deleteIdle} does: their processed offsets are forgotten. Choose an age after which no old offset is
         * offered again. Default: domains are kept.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        Builder deleteIdleAfter(Duration age);

        /**
         * Interrupts the thread of an attempt whose lease is lost. Default: the attempt goes on, and can ask {@link
         * LeasedWork#isLost}.
         */
        Builder interruptLost();

        /**
         * Returns a new runner. On an engine it sweeps from now on, until it is stopped. It calls {@link
         * LeaseRunnerListener#onError} at once if the engine's pool is known to have no more connections than the
         * executor has threads.
         *
         * @throws IllegalArgumentException if leases of the engine last for less than 12 ms: they could not be renewed
         *     in time
         */
        LeaseRunner build();
    }
}
