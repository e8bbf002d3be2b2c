package io.tidegate.lease;

import io.tidegate.Backoff;
import io.tidegate.Part;
import io.tidegate.Reading;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * Does what a {@link WorkLease} leaves to its caller: runs what is leased, tells the lease how it ended, follows the
 * hints, tries again when it is time, and hands over what failed for good.
 *
 * <pre>{@code
 * LeaseRunner runner = LeaseRunner.builder(lease, task, executor, scheduler).build();
 * runner.completion(customerId, offset).thenAccept(end -> …); // for each message, which can be acknowledged then
 * }</pre>
 *
 * <p>Within a domain one attempt runs at a time, in the order in which the lease gives the offsets out, and what an
 * attempt did is seen by the next. Domains run beside each other, as many as the executor lets. An attempt that does
 * not return holds its domain for good, and only that: give the work a time limit of its own.
 *
 * <p>Use one runner for the leases of a process. In memory a lease shows its token to all who ask, so a second runner
 * would take the work of the first for left behind, and run it too.
 *
 * <p>What a {@link SharedWorkLease} has given is held from its answer on: its lease is prolonged at least three times
 * within its duration while it waits for a thread, runs, or waits for its retry. All leases of a runner are prolonged
 * in one round trip, on threads of the library, so neither busy tasks nor a busy scheduler lose them. Work that was
 * lost all the same does not begin; work that runs can ask {@link LeasedWork#isLost}. What another process holds is
 * asked for again when its lease ends. What others have left behind is found by a sweep, and taken up without a new
 * offer.
 *
 * <p>Thread-safe. The lease is called by the thread that offers and by the executor's, one at a time for each domain;
 * others wait for it, uninterruptibly. Tasks, handlers and listeners run with nothing held and may call the runner. An
 * attempt that ends with an {@link InterruptedException} has failed, and leaves its thread interrupted.
 */
public interface LeaseRunner extends Part, AutoCloseable {
    /** The name of a runner that was given none: {@value}. */
    String DEFAULT_NAME = "lease-runner";

    /** The longest first wait in milliseconds, unless a {@link Backoff} is set: {@value}. */
    int DEFAULT_FIRST_DELAY_MILLIS = 200;

    /** The longest wait in seconds, unless a {@link Backoff} is set: {@value}. */
    int DEFAULT_MAX_DELAY_SECONDS = 60;

    /**
     * How often a runner looks for what others have left on an engine, in seconds, unless it is told otherwise:
     * {@value}.
     */
    int DEFAULT_SWEEP_SECONDS = 5;

    /**
     * Returns a builder of a runner.
     *
     * @param executor runs the attempts. One that refuses is tried again later and costs no retry; one that runs things
     *     at once is fine, too: attempts on one thread then follow each other, they do not nest
     * @param scheduler hands over to the executor when a wait ends. An executor that refuses has the backoff rule and
     *     the listener called on the scheduler's thread, and one that runs things at once the attempt
     */
    static Builder builder(WorkLease lease, LeaseTask task, Executor executor, ScheduledExecutorService scheduler) {
        return new RunnerBuilder(lease, RunnerBuilder.stage(task), executor, scheduler);
    }

    /**
     * The same for a task that keeps no thread while it works: an attempt ends when the stage ends that the task
     * returns.
     */
    static Builder stageBuilder(
            WorkLease lease, StageTask task, Executor executor, ScheduledExecutorService scheduler) {
        return new RunnerBuilder(lease, task, executor, scheduler);
    }

    /**
     * Asks the lease for an offset and sees that it is worked on: at once, or when its turn comes. If other offsets are
     * before it which nobody has asked for, they are. What a runner that died has left behind in the domain is taken
     * up.
     *
     * @return what the lease answered: the offset is in its hands now. If those outlive the process, as in a database,
     *     its message can be acknowledged
     * @throws RuntimeException what the lease throws; offer the offset again
     * @throws IllegalStateException if the runner was stopped
     */
    AcquireResult offer(String domainId, long offset);

    /**
     * Offers the offset, unless somebody waits for it already, and tells when it has come to its end: processed or
     * parked, here or elsewhere, or lost. An offset that has come to its end before is told at once.
     *
     * @return ends on a thread of the runner's, whose {@link #stop} waits for what depends on it: do not wait for that
     *     there
     * @throws RuntimeException what the lease throws; ask again
     * @throws IllegalStateException if the runner was stopped
     */
    CompletionStage<Completion> completion(String domainId, long offset);

    /**
     * {@link WorkLease#replay}, and sees that the offset is worked on.
     *
     * @return false when the offset has not failed
     * @throws IllegalStateException if the runner was stopped
     */
    boolean replay(String domainId, long offset);

    /**
     * Takes up what a runner before this one has left behind in a domain, without a new offset: what is leased, or the
     * head of the backlog.
     *
     * @return false when there is nothing to do
     * @throws IllegalStateException if the runner was stopped
     */
    boolean resume(String domainId);

    /**
     * Lets go of one domain, until it is offered, resumed or found by a sweep again. An attempt that runs goes on to
     * its end, which the lease is told. What has not begun, or waits for its retry, is given back to an engine, and
     * costs no retry; in memory it stays leased.
     *
     * @return ends when that has happened
     */
    CompletionStage<Void> revoke(String domainId);

    /**
     * Stops for good. No attempt begins any more, no hint is followed, and waits for a retry are over. Attempts that
     * run go on to their end, which the lease is told, if need be again until it can be reached. What has not begun, or
     * waits for its retry, is given back to an engine, and costs no retry; in memory it stays leased. What is in line
     * stays there, for another runner.
     *
     * <p>May be called again, and by a task, which must not wait for the stage.
     *
     * @return ends when the last attempt has ended and the lease is not called any more
     */
    CompletionStage<Void> stop();

    /** Stops, and waits until the last attempt has ended. Not to be called by a task. */
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
         * How long to wait before each retry, and before asking a lease or an executor again that refused. Default:
         * {@link Backoff#exponential} from {@value LeaseRunner#DEFAULT_FIRST_DELAY_MILLIS} ms to {@value
         * LeaseRunner#DEFAULT_MAX_DELAY_SECONDS} s. In place of a delay that is null, negative or thrown the default is
         * taken.
         */
        Builder backoff(Backoff backoff);

        /** Gets what failed for good. Default: nobody; the lease knows it as failed. */
        Builder parking(ParkingHandler handler);

        /** Is told what happens; the last one given counts. Default: nobody is told. */
        Builder listener(LeaseRunnerListener listener);

        /**
         * How often to look for what others have left on an engine. Default: {@value LeaseRunner#DEFAULT_SWEEP_SECONDS}
         * s. Nothing is looked for in memory.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        Builder sweepEvery(Duration pause);

        /**
         * Deletes what failed longer ago, by itself and from time to time, as {@link WorkLease#deleteFailed} does.
         * Default: what has failed is kept.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        Builder deleteFailedAfter(Duration age);

        /**
         * Deletes domains in which nothing has happened for so long, by itself and from time to time, as {@link
         * WorkLease#deleteIdle} does: what was processed there is not known any more. Choose it longer than an offset
         * can be offered again. Default: domains are kept.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        Builder deleteIdleAfter(Duration age);

        /**
         * Interrupts the thread of an attempt whose lease is lost. Default: the attempt goes on to its end, and can
         * ask.
         */
        Builder interruptLost();

        /**
         * Returns a new runner. One on an engine sweeps from now on, until it is stopped. The listener is told at once,
         * by {@link LeaseRunnerListener#onError}, if the engine's pool is known to have no more connections than the
         * executor has threads.
         *
         * @throws IllegalArgumentException if leases of the engine last for less than 12 ms: nobody could prolong them
         *     in time
         */
        LeaseRunner build();
    }
}
