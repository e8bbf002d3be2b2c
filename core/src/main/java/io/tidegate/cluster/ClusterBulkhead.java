package io.tidegate.cluster;

import io.tidegate.HolderWatch;
import io.tidegate.Reading;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadError;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.DrainReport;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * One cap on remote operations in flight for many processes. Each process is a member and holds a slice of the cap, on
 * a lease that it renews; admission is local. Slices move to where they are needed.
 *
 * <pre>{@code
 * ClusterBulkhead bulkhead = ClusterBulkhead.builder(store, "payments", 100, scheduler).build();
 * RemoteCapability capability = bulkhead.takeCapability();
 * bulkhead.submit(capability, requestId, () -> service.pay(order));
 * }</pre>
 *
 * <p>What is admitted under leases never exceeds the cap, in all processes together. A process whose lease may have
 * ended admits nothing: requests are refused with {@link BulkheadError.NoLease}, whatever the policy, until the engine
 * answers again. Requests that were admitted but not started are refused, too, if the process was paused in between.
 * Operations already in flight cannot be recalled; they count again as soon as the process reports them. The slice of a
 * process that died is free when its lease ends.
 *
 * <p>A process that must give up a part of its slice drains to the rest as {@link RemoteBulkhead#setMaxInFlight} says;
 * but under the queue policy, requests that come meanwhile wait. A process without a slice answers like a full one.
 *
 * <p>Safe for use by many threads. Starts no thread: claims run on the scheduler and block it for a round trip each, so
 * give it one thread more than there are bulkheads on it, and give the engine's client a time-out well below the lease.
 */
public interface ClusterBulkhead extends RemoteBulkheadClient, AutoCloseable {
    /** How long a lease lasts unless set, in seconds: {@value}. */
    int DEFAULT_LEASE_SECONDS = 10;

    /** The shortest lease, in milliseconds: {@value}. */
    int SHORTEST_LEASE_MILLIS = 100;

    /** The longest lease, in hours: {@value}. */
    int LONGEST_LEASE_HOURS = 24;

    /**
     * Returns a builder of this process's member.
     *
     * @param name the name of the shared cap, the same in all processes
     * @param maxInFlight the cap, if the engine has none of this name yet; otherwise the engine's cap applies, and
     *     {@link #setMaxInFlight} changes it
     * @param scheduler runs the claims, and ends waits whose time is up. When it is shut down, the lease ends
     * @throws BulkheadException with {@link BulkheadError.InvalidConfig} if the cap is not positive
     * @throws IllegalArgumentException if the name is blank
     */
    static Builder builder(CapStore store, String name, int maxInFlight, ScheduledExecutorService scheduler) {
        return new ClusterBuilder(store, name, maxInFlight, scheduler);
    }

    /**
     * Sets the cap of the whole cluster: asks the engine, on this thread. Other processes learn of it when they renew
     * their lease. When it is lowered, each process drains to its part, and no slice grows until the sum fits.
     *
     * @throws BulkheadException with {@link BulkheadError.InvalidConfig} if it is not positive; nothing changes
     * @throws RuntimeException what the engine's client throws; the cap may have changed
     */
    @Override
    void setMaxInFlight(int newCap);

    /**
     * Drains as {@link RemoteBulkheadClient#drain} says, and leaves the cluster: the unused part of the slice goes back
     * at once, and the rest as operations end. The stage ends when the engine has all of it back, or the lease has
     * ended; or when the time is up. Keep the scheduler and the store open until then.
     */
    @Override
    CompletionStage<DrainReport> drain(Duration limit);

    /**
     * Drains as {@link #drain} says, without waiting. If nothing is in flight, the slice is given back on this thread,
     * or after the claim that is under way.
     */
    @Override
    void close();

    /** The present figures of this process. */
    Standing standing();

    /** Returns {@code "cluster"}. */
    @Override
    default String kind() {
        return "cluster";
    }

    @Override
    default void read(Reading to) {
        Standing standing = standing();
        to.gauge("in.flight", standing.inFlight());
        to.gauge("limit", standing.slice());
        to.gauge("cap", standing.cap());
        to.gauge("waiting", standing.waiting());
        to.gauge("lease.left", standing.leaseLeftMs() / 1000.0);
        to.gauge("failed.claims", (double) standing.failedClaims());
        to.gauge("latency.p99", p99ForegroundLatencyMs().orElse(0) / 1000.0);
    }

    /** The log of this process, as {@link RemoteBulkhead#events} says; the cap in it is the slice. */
    List<BulkheadEvent> events();

    /** {@link RemoteBulkhead#droppedEvents}. */
    long droppedEvents();

    /** {@link RemoteBulkhead#p99ForegroundLatencyMs} of the requests of this process, from when they were submitted. */
    OptionalLong p99ForegroundLatencyMs();

    /** {@link RemoteBulkhead#latencyWithinTarget}. */
    boolean latencyWithinTarget();

    /**
     * The figures of a process in the cluster.
     *
     * @param cap the cap of all processes, by the engine's last answer; 0 before the first one
     * @param configuredCap the cap given to the builder, which applies only if the engine has none
     * @param slice the slice of this process, 0 without a lease
     * @param inFlight operations of this process
     * @param waiting requests in this process
     * @param leaseLeftMs how long this process may still admit without an answer of the engine; 0 when it may not
     * @param failedClaims how many claims in a row have failed
     * @param lastFailure why the last one failed
     */
    record Standing(
            int cap,
            int configuredCap,
            int slice,
            int inFlight,
            int waiting,
            long leaseLeftMs,
            long failedClaims,
            Optional<Throwable> lastFailure) {}

    /**
     * Callbacks for problems of the cluster, on the thread that claims and with no lock held. What they throw is
     * dropped.
     */
    interface Listener {
        /**
         * A claim failed: the engine could not be reached, or refused. Further claims follow until the engine answers.
         */
        default void claimFailed(Throwable cause) {}

        /**
         * The engine's cap is not the one given to the builder, and applies instead of it. Called when this is first
         * seen, and with each change; {@link #setMaxInFlight} changes the engine's cap.
         */
        default void capDiffers(int configured, int shared) {}
    }

    /** Builds a member. Settings are checked at once. Not thread-safe. */
    interface Builder {
        /** What happens in this process when its slice is in use; by default requests are rejected. */
        Builder policy(BackpressurePolicy policy);

        /**
         * How long a lease lasts, from {@value ClusterBulkhead#SHORTEST_LEASE_MILLIS} ms to {@value
         * ClusterBulkhead#LONGEST_LEASE_HOURS} h; it is renewed after a thirtieth of that, or up to a third by a
         * process that holds less than a hundredth of the cap. {@value ClusterBulkhead#DEFAULT_LEASE_SECONDS} s by
         * default.
         *
         * @throws BulkheadException with {@link BulkheadError.InvalidConfig} if it is out of range
         */
        Builder leaseDuration(Duration duration);

        /**
         * Takes each permit at the engine when it is asked for, and gives it back when the operation ends: no permit
         * lies idle in a process, and each request waits for a round trip. Under the reject policy, a request is
         * refused when the engine has answered that all permits are out. Use it in all processes or in none.
         */
        Builder strict();

        /** What a permit is bound to; {@link PermitLifetime#RETURNED_STAGE} by default. */
        Builder permitLifetime(PermitLifetime lifetime);

        /** Runs the suppliers of requests that have waited, as {@link RemoteBulkheadClient.Builder#executor} says. */
        Builder executor(Executor executor);

        /**
         * Gets every event of this process, as {@link RemoteBulkhead.Builder#eventSink} says; the cap in them is the
         * slice.
         */
        Builder eventSink(Consumer<? super BulkheadEvent> sink);

        /** Notified when claims fail, and when the cap is not the one given to this builder. */
        Builder listener(Listener listener);

        /** As {@link RemoteBulkheadClient.Builder#watchHolders(Duration)} says. */
        default Builder watchHolders(Duration olderThan) {
            return watch(HolderWatch.olderThan(olderThan));
        }

        /** As {@link RemoteBulkheadClient.Builder#watch(HolderWatch)} says. */
        Builder watch(HolderWatch watch);

        /** As {@link RemoteBulkhead.Builder#p99TargetMs} says. */
        Builder p99TargetMs(long ms);

        /** As {@link RemoteBulkhead.Builder#eventCapacity} says. */
        Builder eventCapacity(int events);

        /** As {@link RemoteBulkhead.Builder#latencyWindow} says. */
        Builder latencyWindow(int samples);

        /** Monotonic nanoseconds, for leases above all; {@link System#nanoTime} by default. */
        Builder ticker(LongSupplier nanos);

        /**
         * Spreads claims, so that processes that started together do not claim together. Set it for reproducible tests.
         */
        Builder random(RandomGenerator random);

        /**
         * Returns the member. Claims a slice from the engine on this thread; if the engine cannot be reached, claims go
         * on, and nothing is admitted meanwhile.
         */
        ClusterBulkhead build();
    }
}
