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
 * Makes bulkheads whose limit follows what the callee can handle, for callees whose right limit is unknown or changes.
 *
 * <p>Each is an {@link AsyncBulkhead} in every respect, except that {@link AsyncBulkhead#maxInFlight()} moves between a
 * least and a greatest limit. It learns from the ends of calls: a value is a success, an error for which {@link
 * Builder#isOverload} says yes is overload; other errors and cancelled calls are ignored. It grows only while at least
 * half of it is in use. Lowering it blocks and cancels nothing: the number in flight falls as operations end, and
 * {@link AsyncBulkhead#available()} is 0 until then.
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

    /** The name unless set: {@value}. */
    String DEFAULT_NAME = "adaptive-bulkhead";

    /**
     * Returns a builder of a bulkhead that follows latency: while calls take longer than they do without a queue at the
     * callee, the limit falls; otherwise it grows. It also falls on overload. The choice for most callees.
     *
     * <p>Now and then, while there is such a queue, it admits only half as many calls for a round trip, to learn how
     * long calls take without one.
     */
    static Builder gradient() {
        return new AdaptiveBuilder(Gradient::new);
    }

    /**
     * Returns a builder of a bulkhead that follows overload alone: the limit grows by one for each limit's worth of
     * successes, and falls by a factor on overload. For callees whose latency says little about their load, and which
     * refuse or time out when overloaded.
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
         * Says which errors are overload. Gets the error without the {@link CompletionException}s and {@link
         * ExecutionException}s around it, and never a {@link CancellationException}; a rule that throws means no. A
         * call that a guard's time limit has ended is overload, whatever the rule says. Default: a {@link
         * TimeoutException}, a {@link io.tidegate.Refusal} and an {@link io.tidegate.Overload}.
         */
        Builder isOverload(Predicate<? super Throwable> rule);

        /**
         * Passes each new limit to {@code listener}, on the thread whose call ended, with no lock held; the last one
         * given counts. What it throws is dropped. Two threads may report changes that follow each other closely in
         * either order. Default: none.
         */
        Builder onLimitChange(IntConsumer listener);

        /** Notifies {@code listener} of what the bulkhead does; the last one given counts. Default: none. */
        Builder listener(BulkheadListener listener);

        /** Chooses what ends a permit. Default: {@link PermitLifetime#RETURNED_STAGE}. */
        Builder permitLifetime(PermitLifetime lifetime);

        /** As {@link AsyncBulkhead.Builder#watchHolders(Duration)}. */
        default Builder watchHolders(Duration olderThan) {
            return watch(HolderWatch.olderThan(olderThan));
        }

        /** As {@link AsyncBulkhead.Builder#watch(HolderWatch)}. */
        Builder watch(HolderWatch watch);

        /** The time in nanoseconds. Default: {@link System#nanoTime()}. */
        Builder ticker(LongSupplier nanos);

        /**
         * Returns a new bulkhead with the settings so far.
         *
         * @throws IllegalArgumentException unless {@code min <= initial <= max}
         */
        AsyncBulkhead build();
    }
}
