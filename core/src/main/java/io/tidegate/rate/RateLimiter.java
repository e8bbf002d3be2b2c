package io.tidegate.rate;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Gives out a number of permits in each period. In every span of time {@code t} it gives out at most {@code burst +
 * permits * t / period}, rounded down, and refuses only what that forbids: whatever the rate, it is exact and does not
 * drift. It begins full.
 *
 * <p>What is not admitted is refused at once, unless {@link Builder#maxWait} lets {@link #submit} wait. Waiting
 * submissions are admitted in order of arrival, and no other call overtakes them.
 *
 * <p>Thread-safe. While no submission waits, no lock is taken and {@link #tryAcquire()} allocates nothing. No method
 * blocks, and none reads or changes the interrupt flag; only an {@link InterruptedException} that escapes from an
 * operation sets it again. Actions in a thread before {@code submit} <i>happen-before</i> the run of the supplier.
 */
public interface RateLimiter extends Part {
    /** The name unless set: {@value}. */
    String DEFAULT_NAME = "rate-limiter";

    /**
     * The greatest number of permits, of nanoseconds in a period, and of nanoseconds in which an empty limiter fills:
     * {@value}, which is 31 years.
     */
    long LARGEST = 1_000_000_000_000_000_000L;

    /**
     * Returns a limiter with every setting but the rate at its default.
     *
     * @throws IllegalArgumentException as {@link #builder}
     */
    static RateLimiter of(long permits, Duration period) {
        return builder(permits, period).build();
    }

    /**
     * Returns a builder of a limiter.
     *
     * @param permits how many are given out in each period, from 1 to {@link #LARGEST}
     * @param period from a nanosecond to {@link #LARGEST} of them
     * @throws IllegalArgumentException if either is out of its range
     */
    static Builder builder(long permits, Duration period) {
        return new LimiterBuilder(permits, period);
    }

    /** Takes a permit, if there is one now for which no submission waits. */
    boolean tryAcquire();

    /**
     * Takes {@code permits} permits, if they are there now and no submission waits for them: all or none.
     *
     * @throws IllegalArgumentException if {@code permits} is less than 1 or more than the burst
     */
    boolean tryAcquire(long permits);

    /**
     * Returns how long until {@link #tryAcquire(long)} would succeed if no other call came: 0 if it would now. Changes
     * nothing.
     *
     * @throws IllegalArgumentException if {@code permits} is less than 1 or more than the burst
     */
    long nanosUntil(long permits);

    /**
     * Runs the operation once a permit is there for it, or refuses it.
     *
     * <p>If a permit is there and no submission waits, the supplier runs once, on this thread. Otherwise, if the permit
     * will be there within {@link Builder#maxWait}, it runs then, after those that came before: on the scheduler's
     * thread, or on one of the library's own. Ending the returned future before that gives up the wait, and those
     * behind move up. A permit is spent only on an operation that is started.
     *
     * <p>The returned future mirrors the operation's value or error; ending it does not end the operation. An operation
     * that is already done may come back as it is. A supplier that throws or returns {@code null}, and a stage that
     * breaks its contract, come back as a failed stage.
     *
     * <p>Refused: the supplier does not run, and the result is a stage failed with a {@link RateLimitedException}.
     *
     * @param operation starts the work; must not start anything before it is called, and should not block: submissions
     *     behind it may have to wait for it, too
     * @throws NullPointerException if {@code operation} is {@code null}; no permit is taken
     */
    <T> CompletionStage<T> submit(Supplier<? extends CompletionStage<T>> operation);

    /**
     * Changes the rate from now on. The filled share stays: if half of the old burst was left, half of the new one is
     * left. A burst that was not given becomes the new {@code permits}. Waiting submissions get new times.
     *
     * @throws IllegalArgumentException as {@link #builder} and {@link Builder#build}; nothing changes
     */
    void setRate(long permits, Duration period);

    /** Returns the name given to the builder, or {@value #DEFAULT_NAME}. */
    @Override
    String name();

    /** Returns {@code "rate"}. */
    @Override
    default String kind() {
        return "rate";
    }

    @Override
    default void read(Reading to) {
        RateLimiterStats stats = stats();
        to.gauge("waiting", (double) stats.waiting());
        to.count("admitted", stats.admitted());
        to.count("refused", stats.refused(), "code", RateLimitedException.CODE);
    }

    /** Returns the counts so far. */
    RateLimiterStats stats();

    /** Settings of a new limiter. Each is checked when it is given. Not thread-safe. */
    interface Builder {
        /**
         * Names the limiter in refusals and metrics. Default: {@value RateLimiter#DEFAULT_NAME}.
         *
         * @throws IllegalArgumentException if {@code name} is blank
         */
        Builder name(String name);

        /**
         * How many permits may be taken at once after a pause. Default: as many as in a period.
         *
         * @throws IllegalArgumentException if less than 1 or more than {@link RateLimiter#LARGEST}
         */
        Builder burst(long permits);

        /**
         * How long a submission may wait. Default: zero, it does not wait.
         *
         * @throws IllegalArgumentException if {@code wait} is negative
         */
        Builder maxWait(Duration wait);

        /** The time in nanoseconds. Default: {@link System#nanoTime}. */
        Builder ticker(LongSupplier nanos);

        /**
         * Times the waits, and runs the operations that waited. If it refuses, the library's own threads take over.
         * Default: the library's own threads.
         */
        Builder scheduler(ScheduledExecutorService scheduler);

        /**
         * Returns a new limiter with the settings so far, full.
         *
         * @throws IllegalArgumentException if the burst takes more than {@link RateLimiter#LARGEST} nanoseconds to fill
         */
        RateLimiter build();
    }
}
