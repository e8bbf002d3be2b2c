package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import io.tidegate.remote.BulkheadError.AtCapacity;
import io.tidegate.remote.BulkheadError.Draining;
import io.tidegate.remote.BulkheadError.QueueSaturated;
import io.tidegate.remote.BulkheadError.QueueTimeout;
import io.tidegate.remote.BulkheadError.Queued;
import io.tidegate.remote.BulkheadError.RemoteCapRequired;
import io.tidegate.remote.BulkheadError.UnknownPermit;
import io.tidegate.remote.BulkheadError.UnknownRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The machine behind {@link RemoteBulkhead}. */
final class BulkheadMachine implements RemoteBulkhead {
    /*
     * All state is guarded by one lock, and every operation is one critical section, so the order of operations is the
     * order in which they got the lock, and the log is in that order. No code of a user runs inside.
     *
     * What users must be told is collected inside and handed over outside: waiters whose turn came or whose time is up, by
     * the thread whose operation decided it; events for the sink, by whoever finds nobody at it (`telling`). That one goes on
     * until there is nothing left to tell, so the sink gets the log's order and is never entered twice, and an operation
     * called from inside the sink leaves its events to the thread it runs on.
     *
     * An entry of the queue with a waiter is admitted by the operation that makes room for it. One without is admitted when
     * its owner polls.
     *
     * `drainTarget` is the cap to get below after the cap was lowered, or NOT_DRAINING. `closed` refuses newcomers in the
     * same words, with a target of 0, but lets in those who wait.
     */
    private static final int NOT_DRAINING = -1;
    private static final String CANCELLED = "CANCELLED";
    private static final double NO_PACE = -1;
    private static final int PACE_SPAN = 16;

    private final ShortLock lock = new ShortLock();
    private final BackpressurePolicy policy;
    private final long p99TargetMs;
    private final WaitingLine line;
    private final EventLog log;
    private final LatencyWindow latencies;
    private final @Nullable Consumer<? super BulkheadEvent> sink;
    private final Queue<BulkheadEvent> untold = new ArrayDeque<>();
    private boolean telling;
    private int maxInFlight;
    private int inFlight;
    private int drainTarget = NOT_DRAINING;
    private boolean closed;
    private long lastPermitId;
    private double paceMs = NO_PACE; // how long permits are held, the last PACE_SPAN or so counting most
    private long latestMs;
    private OptionalLong p99 = OptionalLong.empty(); // as it was last asked for, so that asking again makes no object
    private List<Runnable> notices = List.of();
    private final List<Runnable> whenEmpty = new ArrayList<>();

    BulkheadMachine(MachineBuilder settings) {
        this.policy = settings.policy;
        this.p99TargetMs = settings.p99TargetMs;
        this.line = new WaitingLine(settings.policy);
        this.log = new EventLog(settings.eventCapacity);
        this.latencies = new LatencyWindow(settings.latencyWindow);
        this.sink = settings.sink;
        this.maxInFlight = settings.maxInFlight;
    }

    // Admission

    @Override
    public AcquireResult acquire(boolean hasRemoteCap, String requestId, long nowMs) {
        return acquire(hasRemoteCap, requestId, nowMs, null);
    }

    /** As above; one that must wait is told by its waiter, if it has one, and then may not wait already. */
    AcquireResult acquire(boolean hasRemoteCap, String requestId, long nowMs, @Nullable Waiter waiter) {
        if (requireNonNull(requestId, "requestId").isBlank()) {
            throw new IllegalArgumentException("requestId: '" + requestId + "' (expected: not blank)");
        }
        requireTime(nowMs);
        AcquireResult result;
        List<Runnable> told;
        lock.enter();
        try {
            if (waiter != null && hasRemoteCap && line.waits(requestId, nowMs)) {
                throw new IllegalArgumentException("requestId: '" + requestId + "' (expected: not waiting already)");
            }
            result = admit(hasRemoteCap, requestId, nowMs, waiter);
            told = settle(nowMs);
        } finally {
            lock.exit();
        }
        tell(told);
        return result;
    }

    private AcquireResult admit(boolean hasRemoteCap, String requestId, long nowMs, @Nullable Waiter waiter) {
        if (!hasRemoteCap) {
            return reject(new RemoteCapRequired(), requestId, nowMs);
        }
        evict(nowMs);
        AcquireResult earlier = poll(requestId, nowMs);
        if (earlier != null) {
            return earlier;
        }
        if (closed || drainTarget != NOT_DRAINING) {
            drainActive(nowMs);
            return reject(new Draining(inFlight, target()), requestId, nowMs);
        }
        if (inFlight < maxInFlight && line.isEmpty()) {
            return new AcquireResult.Granted(grant(requestId, nowMs));
        }
        return pressBack(requestId, nowMs, waiter);
    }

    private AcquireResult pressBack(String requestId, long nowMs, @Nullable Waiter waiter) {
        if (inFlight >= maxInFlight) {
            log(nowMs, BulkheadEventCode.RB_AT_CAPACITY, 0, 0, "", requestId);
        }
        if (policy instanceof BackpressurePolicy.Reject) {
            return reject(new AtCapacity(maxInFlight, inFlight), requestId, nowMs);
        }
        if (line.isFull()) {
            return reject(new QueueSaturated(line.maxDepth()), requestId, nowMs);
        }
        int position = line.add(requestId, nowMs, waiter);
        log(nowMs, BulkheadEventCode.RB_REQUEST_QUEUED, position, 0, "", requestId);
        return new AcquireResult.Refused(new Queued(requestId, position, line.timeoutMs()));
    }

    private AcquireResult reject(BulkheadError error, String requestId, long nowMs) {
        log(nowMs, BulkheadEventCode.RB_REQUEST_REJECTED, 0, 0, error.code(), requestId);
        return new AcquireResult.Refused(error);
    }

    private BulkheadPermit grant(String requestId, long nowMs) {
        inFlight++;
        lastPermitId++;
        log(nowMs, BulkheadEventCode.RB_PERMIT_ACQUIRED, lastPermitId, 0, "", requestId);
        return new BulkheadPermit(this, lastPermitId, nowMs, maxInFlight);
    }

    @Override
    public AcquireResult pollQueued(String requestId, long nowMs) {
        requireNonNull(requestId, "requestId");
        requireTime(nowMs);
        AcquireResult result;
        List<Runnable> told;
        lock.enter();
        try {
            evict(nowMs);
            result = poll(requestId, nowMs);
            told = settle(nowMs);
        } finally {
            lock.exit();
        }
        tell(told);
        return result != null ? result : new AcquireResult.Refused(new UnknownRequest(requestId));
    }

    /** The answer for one that waits or has expired, or null for a stranger. */
    private @Nullable AcquireResult poll(String requestId, long nowMs) {
        WaitingLine.Entry entry = line.get(requestId);
        if (entry == null) {
            return line.tellExpired(requestId) ? new AcquireResult.Refused(new QueueTimeout(requestId)) : null;
        }
        int position = line.position(requestId);
        if (position == 1 && hasRoom() && entry.waiter() == null) {
            line.remove(requestId);
            return new AcquireResult.Granted(grant(requestId, nowMs));
        }
        return new AcquireResult.Refused(new Queued(requestId, position, line.timeoutMs()));
    }

    private boolean hasRoom() {
        return inFlight < maxInFlight && drainTarget == NOT_DRAINING;
    }

    private void evict(long nowMs) {
        for (WaitingLine.Entry entry : line.evict(nowMs)) {
            log(nowMs, BulkheadEventCode.RB_REQUEST_REJECTED, 0, 0, "RB_ERR_QUEUE_TIMEOUT", entry.requestId());
            Waiter waiter = entry.waiter();
            if (waiter != null) {
                notice(waiter::expired);
            }
        }
    }

    @Override
    public boolean cancelQueued(String requestId, long nowMs) {
        requireNonNull(requestId, "requestId");
        requireTime(nowMs);
        boolean removed;
        List<Runnable> told;
        lock.enter();
        try {
            removed = cancel(requestId, nowMs);
            told = settle(nowMs);
        } finally {
            lock.exit();
        }
        tell(told);
        return removed;
    }

    private boolean cancel(String requestId, long nowMs) {
        line.tellExpired(requestId);
        WaitingLine.Entry removed = line.remove(requestId);
        if (removed == null) {
            return false;
        }
        log(nowMs, BulkheadEventCode.RB_REQUEST_REJECTED, 0, 0, CANCELLED, requestId);
        Waiter waiter = removed.waiter();
        if (waiter != null) {
            notice(waiter::cancelled);
        }
        return true;
    }

    // Return

    @Override
    public void release(BulkheadPermit permit, long nowMs) {
        requireNonNull(permit, "permit");
        requireTime(nowMs);
        List<Runnable> told;
        lock.enter();
        try {
            if (!permit.takeBack(this)) {
                throw new BulkheadException(new UnknownPermit(permit.permitId()));
            }
            released(permit, nowMs);
            told = settle(nowMs);
        } finally {
            lock.exit();
        }
        tell(told);
    }

    private void released(BulkheadPermit permit, long nowMs) {
        inFlight--;
        long heldMs = Math.max(0, nowMs - permit.issuedAtMs());
        paceMs = paceMs == NO_PACE ? heldMs : paceMs + (heldMs - paceMs) / PACE_SPAN;
        if (inFlight < drainTarget) {
            drainTarget = NOT_DRAINING;
        }
        log(nowMs, BulkheadEventCode.RB_PERMIT_RELEASED, permit.permitId(), 0, "", "");
        if (drainTarget != NOT_DRAINING) {
            drainActive(nowMs);
        }
    }

    // The cap

    @Override
    public void setMaxInFlight(int newCap, long nowMs) {
        MachineBuilder.requirePositive("newCap", newCap);
        requireTime(nowMs);
        List<Runnable> told;
        lock.enter();
        try {
            if (newCap != maxInFlight) {
                changeCap(newCap, nowMs);
            }
            told = settle(nowMs);
        } finally {
            lock.exit();
        }
        tell(told);
    }

    private void changeCap(int newCap, long nowMs) {
        int oldCap = maxInFlight;
        maxInFlight = newCap;
        drainTarget = inFlight > newCap ? newCap : NOT_DRAINING;
        log(nowMs, BulkheadEventCode.RB_CAP_CHANGED, oldCap, newCap, "", "");
        if (drainTarget != NOT_DRAINING) {
            drainActive(nowMs);
        }
    }

    private void drainActive(long nowMs) {
        log(nowMs, BulkheadEventCode.RB_DRAIN_ACTIVE, target(), 0, "", "");
    }

    private int target() {
        return closed ? 0 : drainTarget;
    }

    // For the client

    /** Takes a waiter out of the queue, or takes back the permit that it was given and has not heard of; to be told. */
    @SuppressWarnings("ReferenceEquality") // another request may wait under the same name by now
    List<Runnable> abandon(Waiter waiter, String requestId, long nowMs) {
        lock.enter();
        try {
            WaitingLine.Entry entry = line.get(requestId);
            if (entry != null && entry.waiter() == waiter) {
                cancel(requestId, nowMs);
            } else {
                takeBack(waiter.kept(), nowMs);
            }
            return settle(nowMs);
        } finally {
            lock.exit();
        }
    }

    private void takeBack(@Nullable BulkheadPermit permit, long nowMs) {
        if (permit != null && permit.takeBack(this)) {
            released(permit, nowMs);
        }
    }

    /** Releases a permit and records the latency, if it is not negative, as one step; to be told. */
    List<Runnable> release(BulkheadPermit permit, long latencyMs, long nowMs) {
        lock.enter();
        try {
            if (permit.takeBack(this)) {
                if (latencyMs >= 0) {
                    recordLatency(latencyMs, nowMs);
                }
                released(permit, nowMs);
            }
            return settle(nowMs);
        } finally {
            lock.exit();
        }
    }

    /** Ends the wait of all that have expired. Whether somebody still waits. */
    boolean expire(long nowMs) {
        List<Runnable> told;
        lock.enter();
        try {
            evict(nowMs);
            told = settle(nowMs);
        } finally {
            lock.exit();
        }
        tell(told);
        return queueDepth() > 0;
    }

    /** In how many milliseconds somebody may expire. */
    long nextExpiryMs(long nowMs) {
        lock.enter();
        try {
            return line.nextExpiryMs(nowMs);
        } finally {
            lock.exit();
        }
    }

    /** Admits nobody new from now on. Runs the action once nothing is in flight and nobody waits. */
    void close(Runnable whenNothingIsLeft, long nowMs) {
        List<Runnable> told;
        lock.enter();
        try {
            if (!closed) {
                closed = true;
                drainActive(nowMs);
            }
            whenEmpty.add(whenNothingIsLeft);
            told = settle(nowMs);
        } finally {
            lock.exit();
        }
        tell(told);
    }

    /** The greatest time of any operation so far, or 0. */
    long latestMs() {
        lock.enter();
        try {
            return latestMs;
        } finally {
            lock.exit();
        }
    }

    DrainReport left() {
        lock.enter();
        try {
            return new DrainReport(inFlight, line.depth());
        } finally {
            lock.exit();
        }
    }

    /** How long another try should wait: until who is ahead has had a turn, at the pace of late. */
    long retryAfterMs() {
        lock.enter();
        try {
            long turnMs = Math.max(1, paceMs == NO_PACE ? p99TargetMs : Math.round(paceMs));
            long ahead = (long) line.depth() + Math.max(0, inFlight - maxInFlight);
            long rounds = 1 + ahead / maxInFlight;
            return turnMs > Long.MAX_VALUE / rounds ? Long.MAX_VALUE : turnMs * rounds;
        } finally {
            lock.exit();
        }
    }

    // After each operation

    /** Admits waiters as far as there is room; what must now be told outside. */
    private List<Runnable> settle(long nowMs) {
        latestMs = Math.max(latestMs, nowMs);
        for (WaitingLine.Entry head = line.head(); head != null && hasRoom(); head = line.head()) {
            Waiter waiter = head.waiter();
            if (waiter == null) {
                break;
            }
            if (line.waits(head.requestId(), nowMs)) {
                line.remove(head.requestId());
                waiter.keep(grant(head.requestId(), nowMs));
                notice(waiter::granted);
            } else {
                evict(nowMs);
            }
        }
        if (closed && inFlight == 0 && line.isEmpty()) {
            whenEmpty.forEach(this::notice);
            whenEmpty.clear();
        }
        List<Runnable> told = notices;
        notices = List.of();
        return told;
    }

    private void notice(Runnable notice) {
        if (notices.isEmpty()) {
            notices = new ArrayList<>();
        }
        notices.add(notice);
    }

    /** Runs what an operation has left to tell. */
    void tell(List<Runnable> notices) {
        for (int i = 0; i < notices.size(); i++) {
            try {
                notices.get(i).run();
            } catch (Throwable outOfStack) {
                leaveToNext(notices.subList(i, notices.size()));
                throw outOfStack;
            }
        }
        if (sink != null) {
            tellSink(sink);
        }
    }

    /* A turn that nobody was told of would be a permit lost. Being told twice changes nothing. */
    private void leaveToNext(List<Runnable> untold) {
        lock.enter();
        try {
            untold.forEach(this::notice);
        } finally {
            lock.exit();
        }
    }

    private void tellSink(Consumer<? super BulkheadEvent> sink) {
        lock.enter();
        try {
            if (telling) {
                return;
            }
            telling = true;
        } finally {
            lock.exit();
        }
        for (BulkheadEvent event = nextToTell(); event != null; event = nextToTell()) {
            try {
                sink.accept(event);
            } catch (Throwable dropped) {
                if (dropped instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private @Nullable BulkheadEvent nextToTell() {
        lock.enter();
        try {
            BulkheadEvent next = untold.poll();
            telling = next != null;
            return next;
        } finally {
            lock.exit();
        }
    }

    private void log(long nowMs, BulkheadEventCode code, long number, int other, String reason, String requestId) {
        EventLog.Slot slot = log.append();
        slot.state(nowMs, inFlight, maxInFlight);
        slot.about(code, number, other, reason, requestId);
        if (sink != null) {
            untold.add(slot.event());
        }
    }

    // Latency

    @Override
    public void recordForegroundLatency(long latencyMs) {
        requireLatency(latencyMs);
        List<Runnable> told;
        lock.enter();
        try {
            recordLatency(latencyMs, latestMs);
            told = settle(latestMs);
        } finally {
            lock.exit();
        }
        tell(told);
    }

    @Override
    public void recordForegroundLatency(long latencyMs, long nowMs) {
        requireLatency(latencyMs);
        requireTime(nowMs);
        List<Runnable> told;
        lock.enter();
        try {
            recordLatency(latencyMs, nowMs);
            told = settle(nowMs);
        } finally {
            lock.exit();
        }
        tell(told);
    }

    private void recordLatency(long latencyMs, long nowMs) {
        latencies.record(latencyMs, inFlight);
        log(nowMs, BulkheadEventCode.RB_LATENCY_REPORT, latencyMs, 0, "", "");
    }

    @Override
    public OptionalLong p99ForegroundLatencyMs() {
        lock.enter();
        try {
            if (!latencies.isEmpty() && (p99.isEmpty() || p99.getAsLong() != latencies.p99())) {
                p99 = OptionalLong.of(latencies.p99());
            }
            return p99;
        } finally {
            lock.exit();
        }
    }

    @Override
    public boolean latencyWithinTarget() {
        lock.enter();
        try {
            return latencies.isEmpty() || latencies.p99() <= p99TargetMs;
        } finally {
            lock.exit();
        }
    }

    // Looking

    @Override
    public int maxInFlight() {
        lock.enter();
        try {
            return maxInFlight;
        } finally {
            lock.exit();
        }
    }

    @Override
    public int inFlight() {
        lock.enter();
        try {
            return inFlight;
        } finally {
            lock.exit();
        }
    }

    @Override
    public int queueDepth() {
        lock.enter();
        try {
            return line.depth();
        } finally {
            lock.exit();
        }
    }

    @Override
    public OptionalInt drainingTarget() {
        lock.enter();
        try {
            return closed || drainTarget != NOT_DRAINING ? OptionalInt.of(target()) : OptionalInt.empty();
        } finally {
            lock.exit();
        }
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
        lock.enter();
        try {
            return log.events();
        } finally {
            lock.exit();
        }
    }

    @Override
    public long droppedEvents() {
        lock.enter();
        try {
            return log.dropped();
        } finally {
            lock.exit();
        }
    }

    @Override
    public List<ForegroundLatencySample> latencySamples() {
        lock.enter();
        try {
            return latencies.samples();
        } finally {
            lock.exit();
        }
    }

    @Override
    public String toString() {
        lock.enter();
        try {
            return "RemoteBulkhead(" + inFlight + " of " + maxInFlight + " in flight, " + line.depth() + " waiting)";
        } finally {
            lock.exit();
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
