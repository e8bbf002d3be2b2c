package io.tidegate.remote;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Caps the remote operations in flight, for callers that have a capability. A deterministic state machine: callers pass
 * it the time.
 *
 * <p>Every operation is atomic, and the same sequence of operations gives the same answers and the same log. Times are
 * milliseconds of the caller's choice, never negative; if time goes back, it counts as standing still. Safe for use by
 * many threads. No operation blocks for longer than the few instructions of another one; a slow event sink may block
 * one caller.
 *
 * <p>Programs that want to submit work, rather than drive the machine, use {@link RemoteBulkheadClient}.
 */
public interface RemoteBulkhead extends Part {
    /** The name unless set: {@value}. */
    String DEFAULT_NAME = "remote-bulkhead";

    /** The p99 target unless set: {@value} ms. */
    long DEFAULT_P99_TARGET_MS = 50;

    /** How many events are kept unless set: {@value}. */
    int DEFAULT_EVENT_CAPACITY = 1024;

    /** How many latency samples are kept unless set: {@value}. */
    int DEFAULT_LATENCY_WINDOW = 1024;

    /**
     * A bulkhead with the other settings at their defaults.
     *
     * @throws BulkheadException with {@link BulkheadError.InvalidConfig} if a number is not positive
     */
    static RemoteBulkhead create(int maxInFlight, BackpressurePolicy policy, long p99TargetMs) {
        return builder(maxInFlight).policy(policy).p99TargetMs(p99TargetMs).build();
    }

    /**
     * A builder for a bulkhead with this cap.
     *
     * @throws BulkheadException with {@link BulkheadError.InvalidConfig} if it is not positive
     */
    static Builder builder(int maxInFlight) {
        return new RemoteBulkheadBuilder(maxInFlight);
    }

    /**
     * Asks for a permit. The checks come in this order: capability, expiry of waiting requests, already waiting,
     * draining, capacity, policy. A request never overtakes one that waits. For a request that already waits, this acts
     * as {@link #pollQueued}.
     *
     * @throws IllegalArgumentException if the id is blank or the time negative; nothing changes
     */
    AcquireResult acquire(boolean hasRemoteCap, String requestId, long nowMs);

    /**
     * Asks again for a request that waits: granted if it is first and a permit is free, otherwise {@link
     * BulkheadError.Queued} with its present position. The first poll after a request has expired reports that, once.
     *
     * @throws IllegalArgumentException if the time is negative; nothing changes
     */
    AcquireResult pollQueued(String requestId, long nowMs);

    /**
     * Takes a request out of the queue. Returns whether it was there.
     *
     * @throws IllegalArgumentException if the time is negative; nothing changes
     */
    boolean cancelQueued(String requestId, long nowMs);

    /**
     * Takes a permit back.
     *
     * @throws BulkheadException with {@link BulkheadError.UnknownPermit} if it belongs to another bulkhead or was
     *     already returned; nothing changes
     * @throws IllegalArgumentException if the time is negative; nothing changes
     */
    void release(BulkheadPermit permit, long nowMs);

    /**
     * Changes the cap, at once. If more is in flight, draining begins: no request is admitted until less is in flight
     * than the new cap. A new cap that is not below what is in flight ends draining.
     *
     * @throws BulkheadException with {@link BulkheadError.InvalidConfig} if it is not positive; nothing changes
     * @throws IllegalArgumentException if the time is negative; nothing changes
     */
    void setMaxInFlight(int newCap, long nowMs);

    /**
     * Records a latency at the greatest time of any call so far.
     *
     * @throws IllegalArgumentException if it is negative; nothing changes
     */
    void recordForegroundLatency(long latencyMs);

    /**
     * Records a latency.
     *
     * @throws IllegalArgumentException if the latency or the time is negative; nothing changes
     */
    void recordForegroundLatency(long latencyMs, long nowMs);

    /**
     * The exact 99th percentile, by nearest rank, of the samples kept. Takes constant time, and allocates only the
     * answer.
     */
    OptionalLong p99ForegroundLatencyMs();

    /** Whether p99 is at most the target; true without samples. */
    boolean latencyWithinTarget();

    /** The name given to the builder, or {@value #DEFAULT_NAME}. */
    @Override
    default String name() {
        return DEFAULT_NAME;
    }

    /** Returns {@code "remote"}. */
    @Override
    default String kind() {
        return "remote";
    }

    @Override
    default void read(Reading to) {
        to.gauge("in.flight", inFlight());
        to.gauge("limit", maxInFlight());
        to.gauge("waiting", queueDepth());
        to.gauge("draining", drainingTarget().isPresent() ? 1 : 0);
        to.gauge("latency.p99", p99ForegroundLatencyMs().orElse(0) / 1000.0);
    }

    /** The cap. */
    int maxInFlight();

    /** Permits out. Above the cap only while draining. */
    int inFlight();

    /** Requests that wait. */
    int queueDepth();

    /**
     * While draining, the number below which {@link #inFlight()} must fall before a request is admitted; 0 once the
     * bulkhead is closed to new requests.
     */
    OptionalInt drainingTarget();

    /** What happens when full. */
    BackpressurePolicy policy();

    /** The latency aimed at. */
    long p99TargetMs();

    /** Returns the events that are kept, oldest first, as an immutable copy. */
    List<BulkheadEvent> events();

    /** How many of the oldest events are no longer in {@link #events()}. */
    long droppedEvents();

    /** The latency samples kept, oldest first. An immutable copy. */
    List<ForegroundLatencySample> latencySamples();

    /** Builds a bulkhead. Settings are checked at once. Not thread-safe. */
    interface Builder {
        /**
         * Names the bulkhead in refusals of its clients. Default: {@value RemoteBulkhead#DEFAULT_NAME}.
         *
         * @throws BulkheadException with {@link BulkheadError.InvalidConfig} if it is blank
         */
        Builder name(String name);

        /** What happens when full; by default requests are rejected. */
        Builder policy(BackpressurePolicy policy);

        /** The latency aimed at; {@value RemoteBulkhead#DEFAULT_P99_TARGET_MS} ms by default. */
        Builder p99TargetMs(long ms);

        /** How many events are kept; {@value RemoteBulkhead#DEFAULT_EVENT_CAPACITY} by default. */
        Builder eventCapacity(int events);

        /** How many latency samples are kept; {@value RemoteBulkhead#DEFAULT_LATENCY_WINDOW} by default. */
        Builder latencyWindow(int samples);

        /**
         * Gets every event once, in the order of the log, with no lock held. It may call the bulkhead. What it throws
         * is dropped. At most one thread calls it at a time: a thread whose operation caused this or an earlier event;
         * that thread stays until all events are delivered. Events that come meanwhile are kept, so a sink that is too
         * slow blocks a caller and costs memory.
         */
        Builder eventSink(Consumer<? super BulkheadEvent> sink);

        /** The bulkhead. */
        RemoteBulkhead build();
    }
}
