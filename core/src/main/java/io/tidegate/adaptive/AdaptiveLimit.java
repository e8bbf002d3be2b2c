package io.tidegate.adaptive;

import io.tidegate.HolderWatch;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.PermitLifetime;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Makes bulkheads whose limit follows what the callee can carry, for where nobody knows the right limit, or where it
 * changes.
 *
 * <p>What is built is an {@link AsyncBulkhead} in every respect, but that {@link AsyncBulkhead#maxInFlight()} moves,
 * between a least and a greatest limit. It learns from the ends of calls: a value is a success, an error for which
 * {@link Builder#isOverload} says yes tells of overload; other errors and cancelled calls say nothing. It grows only
 * while at least half of it is in use. Lowering it blocks nobody and cancels nothing: what is in flight falls as
 * operations end, and {@link AsyncBulkhead#available()} is 0 until then.
 *
 * <p>Thread-safe; no thread is made and no lock is taken. The same calls at the same times give the same limits.
 */
public interface AdaptiveLimit {
    /** The limit to start with: {@value}. */
    int DEFAULT_INITIAL = 20;

    /** The least limit: {@value}. */
    int DEFAULT_MIN = 1;

    /** The greatest limit: {@value}. */
    int DEFAULT_MAX = 1_000;

    /** The name of a bulkhead that was given none: {@value}. */
    String DEFAULT_NAME = "adaptive-bulkhead";

    /**
     * Returns a builder of a bulkhead that follows latency: while calls take longer than they do without a queue at the
     * callee, it falls, and else it grows. It also falls when calls tell of overload. The choice for most callees.
     *
     * <p>Now and then, while there is such a queue, it lets only half as many in for a round trip, to learn how long
     * calls take without one.
     */
    static Builder gradient() {
        return new AdaptiveBuilder(Gradient::new);
    }

    /**
     * Returns a builder of a bulkhead that looks at nothing but whether calls tell of overload: grows by one for each
     * limit's worth of successes, and falls by a factor. For callees whose latency says little about their load, and
     * which say so when they have too much.
     */
    static Builder aimd() {
        return new AdaptiveBuilder(Aimd::new);
    }

    /** Settings of a new bulkhead. Each is checked when it is given. Not thread-safe. */
    interface Builder {
        /**
         * The limit to start with. Default: {@value AdaptiveLimit#DEFAULT_INITIAL}, or the bound that is nearest to it.
         *
         * @throws IllegalArgumentException if {@code limit < 1}
         */
        Builder initial(int limit);

        /**
         * The least limit. Default: {@value AdaptiveLimit#DEFAULT_MIN}.
         *
         * @throws IllegalArgumentException if {@code limit < 1}
         */
        Builder min(int limit);

        /**
         * The greatest limit. Default: {@value AdaptiveLimit#DEFAULT_MAX}.
         *
         * @throws IllegalArgumentException if {@code limit < 1}
         */
        Builder max(int limit);

        /**
         * Names the bulkhead in refusals and metrics. Default: {@value AdaptiveLimit#DEFAULT_NAME}.
         *
         * @throws IllegalArgumentException if {@code name} is blank
         */
        Builder name(String name);

        /**
         * Says which errors tell of overload. It is asked for the error out of the {@link CompletionException}s and
         * {@link ExecutionException}s around it, and not for a {@link CancellationException}; one that throws means no.
         * A call that a guard's time limit has ended tells of overload whatever it says. Default: a {@link
         * TimeoutException}, a {@link io.tidegate.Refusal} and an {@link io.tidegate.Overload}.
         */
        Builder isOverload(Predicate<? super Throwable> rule);

        /**
         * Tells {@code listener} each new limit, on the thread whose call ended, with nothing held; the last one given
         * counts. What it throws is dropped. Changes that follow each other closely may be told by two threads in
         * either order. Default: nobody is told.
         */
        Builder onLimitChange(IntConsumer listener);

        /** Tells {@code listener} what the bulkhead does; the last one given counts. Default: nobody is told. */
        Builder listener(BulkheadListener listener);

        /** Chooses what ends a permit. Default: {@link PermitLifetime#RETURNED_STAGE}. */
        Builder permitLifetime(PermitLifetime lifetime);

        /** As {@link AsyncBulkhead.Builder#watchHolders(Duration)}. */
        default Builder watchHolders(Duration olderThan) {
            return watch(HolderWatch.olderThan(olderThan));
        }

        /** As {@link AsyncBulkhead.Builder#watch(HolderWatch)}. */
        Builder watch(HolderWatch watch);

        /** The time in nanoseconds, as that of {@link System#nanoTime()}, which is the default. */
        Builder ticker(LongSupplier nanos);

        /**
         * Returns a new bulkhead with the settings so far.
         *
         * @throws IllegalArgumentException unless {@code min <= initial <= max}
         */
        AsyncBulkhead build();
    }
}
