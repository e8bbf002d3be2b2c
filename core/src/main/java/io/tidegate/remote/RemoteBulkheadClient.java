package io.tidegate.remote;

import io.tidegate.HolderWatch;
import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.bulkhead.PermitLifetime;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs remote operations under a {@link RemoteBulkhead}: at once if a permit is free, later in order of arrival, or not
 * at all. Nothing polls or blocks: a waiting request is an entry in the queue and a future.
 *
 * <p>Safe for use by many threads. Suppliers, continuations and the event sink run with no lock held.
 */
public interface RemoteBulkheadClient extends Part {
    /**
     * A client with the default settings.
     *
     * @throws IllegalArgumentException if the bulkhead was not made by {@link RemoteBulkhead#builder}
     */
    static RemoteBulkheadClient of(RemoteBulkhead bulkhead) {
        return builder(bulkhead).build();
    }

    /**
     * A builder for a client of this bulkhead. The bulkhead can be used beside the client: a cap raised or a permit
     * released there admits requests that wait here.
     *
     * @throws IllegalArgumentException if the bulkhead was not made by {@link RemoteBulkhead#builder}
     */
    static Builder builder(RemoteBulkhead bulkhead) {
        return new ClientBuilder(bulkhead);
    }

    /**
     * The capability that {@link #submit} of every client of this bulkhead requires. It gates clients only: code that
     * has the bulkhead itself needs none.
     *
     * @throws IllegalStateException if it was taken before, from this client or another one of the bulkhead
     */
    RemoteCapability takeCapability();

    /**
     * Runs the operation once a permit is there.
     *
     * <p>Admitted at once, the supplier runs on this thread before {@code submit} returns. Admitted later, it runs on
     * the {@linkplain Builder#executor executor}. Ending the returned future while the request waits takes it out of
     * the queue, and the supplier never runs. From then on the permit's life is that of {@link
     * io.tidegate.bulkhead.AsyncBulkhead#submit}: it is back before the returned future can be seen as done. An
     * operation that has already succeeded may come back as it is.
     *
     * <p>A refusal is a failed stage with a {@link BulkheadException}, which has a code and, where a retry may succeed,
     * a time to wait. What the supplier throws fails the stage. A supplier that returns null fails it with a {@link
     * NullPointerException}.
     *
     * @param capability from {@link #takeCapability()}; without it, or with another bulkhead's, the answer is
     *     {@link BulkheadError.RemoteCapRequired}
     * @param requestId names the request in the log, and in the queue while it waits
     * @throws IllegalArgumentException if the id is blank, or that of a request that already waits; nothing changes
     */
    <T> CompletionStage<T> submit(
            @Nullable RemoteCapability capability, String requestId, Supplier<? extends CompletionStage<T>> operation);

    /**
     * Refuses all new requests from now on; waiting ones are still admitted. New requests of all clients of this
     * bulkhead fail with {@link BulkheadError.Draining}, target 0.
     *
     * <p>The stage ends when nothing is left or when the time is up, and reports what is left. Nothing is stopped. May
     * be called again to wait for longer.
     *
     * @throws IllegalArgumentException if the time is negative
     */
    CompletionStage<DrainReport> drain(Duration limit);

    /**
     * {@link RemoteBulkhead#setMaxInFlight} at this client's time.
     *
     * @throws BulkheadException with {@link BulkheadError.InvalidConfig} if it is not positive; nothing changes
     */
    void setMaxInFlight(int newCap);

    /** The name of its bulkhead. */
    @Override
    default String name() {
        return RemoteBulkhead.DEFAULT_NAME;
    }

    /** Returns {@code "remote"}, or {@code "cluster"} for a member of a cluster. */
    @Override
    default String kind() {
        return "remote";
    }

    @Override
    default void read(Reading to) {}

    /** Builds a client. Settings are checked at once. Not thread-safe. */
    interface Builder {
        /** What a permit is bound to; {@link PermitLifetime#RETURNED_STAGE} by default. */
        Builder permitLifetime(PermitLifetime lifetime);

        /**
         * Runs the suppliers of requests that have waited; by default that of asynchronous futures, mostly the common
         * pool. With an executor that runs them at once, the thread that frees a permit starts the next operation;
         * several on one thread start one after the other, not nested. If the executor throws, the request fails with
         * what it threw.
         */
        Builder executor(Executor executor);

        /**
         * Ends waits and drains whose time is up. By default threads of the library do, one for each continuation that
         * blocks, so that none delays another. With a scheduler, continuations of a future whose wait is over run on
         * its threads, or on the thread that finds the wait over, and should be short.
         */
        Builder scheduler(ScheduledExecutorService scheduler);

        /**
         * The time in milliseconds, for permits, events and waiting; by default the time of day when the client was
         * built, and from there on by the monotonic clock. If it is negative or throws, time counts as standing still.
         */
        Builder clock(LongSupplier millis);

        /**
         * Warns of what is in flight for longer than this: {@link #watch(HolderWatch)} with {@link
         * HolderWatch#olderThan}. Off by default, which costs nothing.
         *
         * @throws IllegalArgumentException if the time is not positive
         */
        default Builder watchHolders(Duration olderThan) {
            return watch(HolderWatch.olderThan(olderThan));
        }

        /** Records what is in flight and since when, and reports what is in flight for too long. */
        Builder watch(HolderWatch watch);

        /** The client. */
        RemoteBulkheadClient build();
    }
}
