package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import io.tidegate.Reading;
import io.tidegate.measure.Ends;
import io.tidegate.measure.FlightEvents;
import io.tidegate.remote.BulkheadError.UnknownPermit;
import io.tidegate.slice.Demand;
import io.tidegate.slice.SliceLease;
import io.tidegate.slice.SlicedBulkhead;
import io.tidegate.stage.PendingNotifications;
import io.tidegate.stage.StackRoom;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A remote bulkhead for many threads: an {@link Admission} with a lock, a log and latencies. */
final class LockedBulkhead implements RemoteBulkhead, SlicedBulkhead {
    /*
     * One lock guards all state, and every operation is one section of that lock: a step of the admission, and
     * `settle`. So operations are in the order in which they got the lock, and so is the log. No user code runs inside.
     * A section returns PendingNotifications, which are delivered outside (see Notifier): handovers and ends by the
     * thread whose operation decided them; events by the thread that finds no other thread at the sink (see SinkFeed).
     *
     * The operations of each request have sections of their own, so that they need no lambda. Rare
     * operations share the sections at the end of this class.
     *
     * At the end of the stack any call inside might throw and leave the state half changed. So every operation checks
     * for room before it begins, except operations for the client's requests, which have checked. Code that is linked
     * at its first use, and is needed in a section, is linked with the class.
     */
    static final long NOT_RECORDED = -1;

    private static final long LATEST = -1;
    private static final ToLongFunction<Admission> LATEST_MS = Admission::latestMs;
    private static final ToLongFunction<Admission> RETRY_AFTER_MS = Admission::retryAfterMs;

    final Notifier notifier;
    final Ends ends = new Ends();
    final @Nullable SliceLease lease; // if the cap is a slice
    private final BackoffLock lock = new BackoffLock();
    private final String name;
    private final BackpressurePolicy policy;
    private final long p99TargetMs;
    private final EventLog log;
    private final Admission admission;
    private final LatencyWindow latencies;
    private final AtomicBoolean capabilityTaken = new AtomicBoolean();
    private OptionalLong p99 = OptionalLong.empty(); // the last answer, so that an equal answer needs no new object

    LockedBulkhead(RemoteBulkheadBuilder settings) {
        this.name = settings.name;
        this.policy = settings.policy;
        this.p99TargetMs = settings.p99TargetMs;
        this.lease = settings.lease;
        SinkFeed feed = settings.sink == null ? null : new SinkFeed(lock, settings.sink);
        this.log = new EventLog(settings.eventCapacity, feed);
        this.admission = new Admission(settings, log);
        this.notifier = new Notifier(lock, admission, feed, lease);
        this.latencies = new LatencyWindow(settings.latencyWindow);
    }

    // Requests

    @Override
    public AcquireResult acquire(boolean hasRemoteCap, String requestId, long nowMs) {
        requireId(requestId);
        requireTime(nowMs);
        AcquireResult result;
        PendingNotifications told;
        StackRoom.requireTwice();
        lock.take();
        try {
            result = admission.admit(hasRemoteCap, requestId, nowMs, null);
            told = admission.settle(nowMs);
        } finally {
            lock.state = BackoffLock.FREE;
        }
        notifier.tell(told);
        if (result instanceof AcquireResult.Refused refused && !(refused.error() instanceof BulkheadError.Queued)) {
            FlightEvents.refusal(kind(), name, refused.error().code());
        }
        return result;
    }

    /**
     * As {@link #acquire}, for a request that is notified of its admission if it must wait; it must not wait already.
     * The request is answered before ends are delivered: ends and the sink run user code, and the permit would be idle
     * meanwhile.
     */
    <T> CompletionStage<T> submit(boolean hasRemoteCap, String requestId, long nowMs, IncomingRequest<T> newcomer) {
        requireId(requestId);
        AcquireResult result;
        PendingNotifications told;
        StackRoom.requireTwice();
        lock.take();
        try {
            result = admission.admit(hasRemoteCap, requestId, nowMs, newcomer);
            told = admission.settle(nowMs);
        } finally {
            lock.state = BackoffLock.FREE;
        }
        try {
            notifier.handOver(told);
            return newcomer.answered(result);
        } finally {
            notifier.tellEnds(told);
        }
    }

    @Override
    public AcquireResult pollQueued(String requestId, long nowMs) {
        requireNonNull(requestId, "requestId");
        requireTime(nowMs);
        return step(nowMs, admission -> admission.poll(requestId, nowMs));
    }

    @Override
    public boolean cancelQueued(String requestId, long nowMs) {
        requireNonNull(requestId, "requestId");
        requireTime(nowMs);
        return step(nowMs, admission -> admission.cancel(requestId, nowMs));
    }

    /**
     * Takes a waiter out of the queue, or takes back the permit that the waiter does not know of. The caller must
     * deliver the result.
     */
    PendingNotifications abandon(QueuedRequest waiter, String requestId, long nowMs) {
        lock.take();
        try {
            admission.abandon(waiter, requestId, nowMs);
            return admission.settle(nowMs);
        } finally {
            lock.state = BackoffLock.FREE;
        }
    }

    @Override
    public void release(BulkheadPermit permit, long nowMs) {
        requireNonNull(permit, "permit");
        requireTime(nowMs);
        StackRoom.requireTwice();
        PendingNotifications told = release(permit, NOT_RECORDED, nowMs);
        if (told == null) {
            throw new BulkheadException(new UnknownPermit(permit.permitId()), name);
        }
        notifier.tell(told);
    }

    /**
     * Takes back a permit and records the latency, unless it is {@link #NOT_RECORDED}, as one step. The caller must
     * deliver the result, which is null if the permit is another bulkhead's, or is back already.
     */
    @Nullable
    PendingNotifications release(BulkheadPermit permit, long latencyMs, long nowMs) {
        lock.take();
        try {
            if (!permit.takeBack(admission)) {
                return null;
            }
            if (latencyMs != NOT_RECORDED) {
                recordLatency(latencyMs, nowMs);
            }
            admission.released(permit, nowMs);
            return admission.settle(nowMs);
        } finally {
            lock.state = BackoffLock.FREE;
        }
    }

    // Latency

    @Override
    public void recordForegroundLatency(long latencyMs) {
        requireLatency(latencyMs);
        record(latencyMs, LATEST);
    }

    @Override
    public void recordForegroundLatency(long latencyMs, long nowMs) {
        requireLatency(latencyMs);
        requireTime(nowMs);
        record(latencyMs, nowMs);
    }

    private void record(long latencyMs, long givenMs) {
        PendingNotifications told;
        StackRoom.requireTwice();
        lock.take();
        try {
            long nowMs = givenMs == LATEST ? admission.latestMs() : givenMs;
            recordLatency(latencyMs, nowMs);
            told = admission.settle(nowMs);
        } finally {
            lock.state = BackoffLock.FREE;
        }
        notifier.tell(told);
    }

    private void recordLatency(long latencyMs, long nowMs) {
        int inFlight = admission.inFlight();
        latencies.record(latencyMs, inFlight);
        log.append(BulkheadEventCode.RB_LATENCY_REPORT, nowMs, inFlight, admission.maxInFlight(), latencyMs);
    }

    @Override
    public OptionalLong p99ForegroundLatencyMs() {
        lock.take();
        try {
            if (!latencies.isEmpty() && (p99.isEmpty() || p99.getAsLong() != latencies.p99())) {
                p99 = OptionalLong.of(latencies.p99());
            }
            return p99;
        } finally {
            lock.state = BackoffLock.FREE;
        }
    }

    @Override
    public boolean latencyWithinTarget() {
        lock.take();
        try {
            return latencies.isEmpty() || latencies.p99() <= p99TargetMs;
        } finally {
            lock.state = BackoffLock.FREE;
        }
    }

    // The cap, and a slice of a larger one

    @Override
    public void setMaxInFlight(int newCap, long nowMs) {
        RemoteBulkheadBuilder.requirePositive("newCap", newCap);
        requireTime(nowMs);
        StackRoom.requireTwice();
        notifier.tell(resize(newCap, nowMs));
    }

    @Override
    public PendingNotifications resize(int slice, long nowMs) {
        return change(nowMs, admission -> admission.changeCap(slice, nowMs));
    }

    @Override
    public PendingNotifications renew(int slice, long untilMs, long nowMs) {
        return change(nowMs, admission -> admission.renew(slice, untilMs, nowMs));
    }

    @Override
    public PendingNotifications turnAway(Demand asked, int cap, long nowMs) {
        return change(nowMs, admission -> admission.turnAway(asked, cap, nowMs));
    }

    @Override
    public void tell(PendingNotifications told) {
        notifier.tell(told);
    }

    @Override
    public Demand demand() {
        return look(Admission::demand);
    }

    // For the client

    /** Ends the wait of all expired requests. The caller must deliver the result. */
    PendingNotifications expire(long nowMs) {
        StackRoom.requireTwice();
        return change(nowMs, admission -> admission.expire(nowMs));
    }

    /** Refuses new requests from now on. Runs the action once nothing is in flight or waits. */
    void close(Runnable whenNothingIsLeft, long nowMs) {
        StackRoom.requireTwice();
        notifier.tell(change(nowMs, admission -> admission.close(whenNothingIsLeft, nowMs)));
    }

    /** Returns what is left, and drops the action. */
    DrainReport giveUp(Runnable whenNothingIsLeft, long nowMs) {
        return step(nowMs, admission -> admission.giveUp(whenNothingIsLeft, nowMs));
    }

    /** Returns whether the capability was still there to be taken. */
    boolean takeCapability() {
        return !capabilityTaken.getAndSet(true);
    }

    /** Returns in how many milliseconds a request may expire. */
    long nextExpiryMs(long nowMs) {
        return number(admission -> admission.nextExpiryMs(nowMs));
    }

    /** Returns the greatest time of any operation so far, or 0. */
    long latestMs() {
        return number(LATEST_MS);
    }

    /** Returns how long another try should wait. */
    long retryAfterMs() {
        return number(RETRY_AFTER_MS);
    }

    @Override
    public long holdMs() {
        return number(Admission::holdMs);
    }

    // Reads

    @Override
    public String name() {
        return name;
    }

    @Override
    public int maxInFlight() {
        return (int) number(Admission::maxInFlight);
    }

    @Override
    public int inFlight() {
        return (int) number(Admission::inFlight);
    }

    @Override
    public int queueDepth() {
        return (int) number(Admission::waiting);
    }

    @Override
    public OptionalInt drainingTarget() {
        return look(Admission::drainingTarget);
    }

    @Override
    public BackpressurePolicy policy() {
        return policy;
    }

    @Override
    public long p99TargetMs() {
        return p99TargetMs;
    }

    @Override
    public List<BulkheadEvent> events() {
        EventLog seen = look(admission -> log.copy());
        return Collections.unmodifiableList(seen.events());
    }

    @Override
    public long droppedEvents() {
        return number(admission -> log.dropped());
    }

    @Override
    public List<ForegroundLatencySample> latencySamples() {
        return look(admission -> latencies.samples());
    }

    @Override
    public void read(Reading to) {
        Admission.Figures figures = look(Admission::figures);
        figures.read(to);
        ends.read(to, figures.ended());
        to.gauge("latency.p99", p99ForegroundLatencyMs().orElse(0) / 1000.0);
    }

    @Override
    public String toString() {
        return look(admission -> "RemoteBulkhead(" + name + ", " + admission.inFlight() + " of "
                + admission.maxInFlight() + " in flight, " + admission.waiting() + " waiting)");
    }

    // Sections for rare operations

    private <T> T step(long nowMs, Function<Admission, T> step) {
        T result;
        PendingNotifications told;
        StackRoom.requireTwice();
        lock.take();
        try {
            result = step.apply(admission);
            told = admission.settle(nowMs);
        } finally {
            lock.state = BackoffLock.FREE;
        }
        notifier.tell(told);
        return result;
    }

    private PendingNotifications change(long nowMs, Consumer<Admission> step) {
        int before;
        int after;
        PendingNotifications told;
        lock.take();
        try {
            before = admission.maxInFlight();
            step.accept(admission);
            told = admission.settle(nowMs);
            after = admission.maxInFlight();
        } finally {
            lock.state = BackoffLock.FREE;
        }
        FlightEvents.limitChange(lease == null ? "remote" : "cluster", name, before, after);
        return told;
    }

    private long number(ToLongFunction<Admission> which) {
        lock.take();
        try {
            return which.applyAsLong(admission);
        } finally {
            lock.state = BackoffLock.FREE;
        }
    }

    private <T> T look(Function<Admission, T> at) {
        lock.take();
        try {
            return at.apply(admission);
        } finally {
            lock.state = BackoffLock.FREE;
        }
    }

    private static void requireId(String requestId) {
        if (requireNonNull(requestId, "requestId").isBlank()) {
            throw new IllegalArgumentException("requestId: '" + requestId + "' (expected: not blank)");
        }
    }

    private static void requireTime(long nowMs) {
        if (nowMs < 0) {
            throw new IllegalArgumentException("nowMs: " + nowMs + " (expected: >= 0)");
        }
    }

    private static void requireLatency(long latencyMs) {
        if (latencyMs < 0) {
            throw new IllegalArgumentException("latencyMs: " + latencyMs + " (expected: >= 0)");
        }
    }
}
