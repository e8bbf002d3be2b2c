package io.tidegate.bulkhead;

import io.tidegate.HolderWatch;
import io.tidegate.Part;
import io.tidegate.Reading;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Bounds the number of asynchronous operations in flight. A submission is admitted or refused at the instant it is
 * made: nothing waits, nothing is queued, and there is no order among submissions.
 *
 * <p>An operation is <em>in flight</em> from its admission until it is terminal. By default the returned future decides
 * that ({@link PermitLifetime#RETURNED_STAGE}): however it becomes terminal, its permit is given back, exactly once,
 * and <em>before</em> anyone can see it as done. A caller that has seen the end of one submission therefore finds its
 * permit free.
 *
 * <p><b>A cancelled or timed-out future frees its permit while the work behind it may still run</b>: cancellation is
 * not passed on to the operation. Where the limit must bound real work, use {@link PermitLifetime#OPERATION}.
 *
 * <p>Thread-safe; no lock is taken. No method waits for capacity or for user code on another thread, and none reads or
 * changes the interrupt flag; only an {@link InterruptedException} that escapes from an operation or a listener sets it
 * again. Actions in a thread before {@code submit} <i>happen-before</i> the run of the supplier, and a permit's return
 * <i>happens-before</i> the admission that takes it.
 */
public interface AsyncBulkhead extends Part {
    /** The name unless set: {@value}. */
    String DEFAULT_NAME = "bulkhead";

    /**
     * Returns a bulkhead with every setting but the limit at its default.
     *
     * @param maxInFlight the limit, at least 1
     * @throws IllegalArgumentException if {@code maxInFlight < 1}
     */
    static AsyncBulkhead of(int maxInFlight) {
        return builder(maxInFlight).build();
    }

    /**
     * Returns a builder of a bulkhead.
     *
     * @param maxInFlight the limit, at least 1
     * @throws IllegalArgumentException if {@code maxInFlight < 1}
     */
    static Builder builder(int maxInFlight) {
        return new AsyncBulkheadBuilder(maxInFlight);
    }

    /**
     * Admits or refuses one operation.
     *
     * <p>Admitted: the supplier runs once, on this thread, and the result is a {@link CompletableFuture} that mirrors
     * the operation's value or error. An operation that is already done may come back as it is. A supplier that throws
     * or returns {@code null}, and a stage that breaks its contract, come back as a failed stage.
     *
     * <p>Refused: the supplier does not run, and the result is a stage already failed with a
     * {@link BulkheadRejectedException} itself. That stage is shared and cannot be changed.
     *
     * <p>A thread that loses a race to end the returned future learns so at once, and may see the future not yet done
     * while the winner calls the listener.
     *
     * @param operation starts the work; must not start anything before it is called
     * @param <T> the type of the operation's value
     * @return the submission's stage, never {@code null}
     * @throws NullPointerException if {@code operation} is {@code null}; no permit is taken
     */
    <T> CompletionStage<T> submit(Supplier<? extends CompletionStage<T>> operation);

    /** Returns the name given to the builder, or {@value #DEFAULT_NAME}. */
    @Override
    String name();

    /** Returns {@code "bulkhead"}. */
    @Override
    default String kind() {
        return "bulkhead";
    }

    @Override
    default void read(Reading to) {
        BulkheadStats stats = stats();
        to.gauge("in.flight", inFlight());
        to.gauge("limit", maxInFlight());
        to.count("admitted", stats.admitted());
        to.count("refused", stats.rejected(), "code", BulkheadRejectedException.CODE);
    }

    /**
     * Changes the limit from now on. What is in flight stays: under a lower limit nothing is admitted until fewer
     * submissions are in flight.
     *
     * @throws IllegalArgumentException if {@code maxInFlight < 1}; nothing changes
     * @throws UnsupportedOperationException if the limit is adaptive
     */
    default void setMaxInFlight(int maxInFlight) {
        throw new UnsupportedOperationException(
                "setMaxInFlight: " + maxInFlight + " (expected: a limit that is fixed)");
    }

    /** Returns whether {@link #setMaxInFlight} can change the limit, because it is not adaptive. */
    default boolean isLimitFixed() {
        return false;
    }

    /** Returns the limit; if it moves, the one in force at one instant during the call. */
    int maxInFlight();

    /** Returns how many submissions are in flight: true at one instant during the call. */
    int inFlight();

    /** Returns how many more would have been admitted: true at one instant during the call. */
    int available();

    /** Returns the counts so far. */
    BulkheadStats stats();

    /** Settings of a new bulkhead. Each is checked when it is given. Not thread-safe. */
    interface Builder {
        /**
         * Names the bulkhead in refusals and metrics. Default: {@value AsyncBulkhead#DEFAULT_NAME}.
         *
         * @throws IllegalArgumentException if {@code name} is blank
         */
        Builder name(String name);

        /** Notifies {@code listener} of what the bulkhead does; the last one given counts. Default: none. */
        Builder listener(BulkheadListener listener);

        /** Chooses what ends a permit. Default: {@link PermitLifetime#RETURNED_STAGE}. */
        Builder permitLifetime(PermitLifetime lifetime);

        /**
         * Warns of what is in flight for longer than this: {@link #watch(HolderWatch)} with {@link
         * HolderWatch#olderThan}. Default: off, which costs nothing.
         *
         * @throws IllegalArgumentException if the time is not positive
         */
        default Builder watchHolders(Duration olderThan) {
            return watch(HolderWatch.olderThan(olderThan));
        }

        /** Records what is in flight and since when, and reports what is in flight for too long. Default: off. */
        Builder watch(HolderWatch watch);

        /** Returns a new bulkhead with the settings so far. */
        AsyncBulkhead build();
    }
}
