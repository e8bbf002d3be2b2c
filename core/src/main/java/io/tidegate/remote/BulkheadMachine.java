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
import io.tidegate.stage.StackRoom;
import io.tidegate.time.Timekeeper;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The machine behind {@link RemoteBulkhead}. */
final class BulkheadMachine implements RemoteBulkhead {
    /*
     * All state is guarded by one lock, and every operation is one critical section, so the order of operations is the
     * order in which they got the lock, and the log is in that order. No code of a user runs inside.
     *
     * What users must be told is collected inside (see Notices) and handed over outside: turns and ends of waiters, by
     * the thread whose operation decided them; events for the sink, by whoever finds nobody at it (see SinkFeed).
     *
     * With the stack at its end any call inside might throw and leave the state half changed. So every operation asks
     * for room before it begins, those for the client's requests excepted, which have asked.
     *
     * An entry of the queue with a waiter is admitted by the operation that makes room for it. One without is admitted
     * when its owner polls.
     *
     * `drainTarget` is the cap to get below after the cap was lowered, or NOT_DRAINING. `closed` refuses newcomers in
     * the same words, with a target of 0, but lets in those who wait.
     *
     * With a `sliceLease` the cap is a slice of a greater one, on a lease. It may then be 0, nobody is admitted once the
     * lease has ended, and what the keeper of the slice must know is counted.
     */
    private static final int NOT_DRAINING = -1;
    private static final String CANCELLED = "CANCELLED";
    private static final String TIMED_OUT = "RB_ERR_QUEUE_TIMEOUT";

    private final BriefLock lock = new BriefLock();
    private final Runnable left = this::tellLeft; // linked here, where there is stack for it
    private final BackpressurePolicy policy;
    private final long p99TargetMs;
    private final WaitingLine line;
    private final EventLog log;
    private final LatencyWindow latencies;
    private final RetryEstimate estimate;
    private final @Nullable SinkFeed feed;
    private final @Nullable SliceLease sliceLease;
    private int maxInFlight;
    private int inFlight;
    private int drainTarget = NOT_DRAINING;
    private boolean closed;
    private boolean capabilityTaken;
    private long lastPermitId;
    private long latestMs;
    private OptionalLong p99 = OptionalLong.empty(); // as it was last asked for, so that asking again makes no object
    private @Nullable Notices notices;
    private final Set<Runnable> whenEmpty = new LinkedHashSet<>();

    BulkheadMachine(MachineBuilder settings) {
        this.policy = settings.policy;
        this.p99TargetMs = settings.p99TargetMs;
        this.line = new WaitingLine(settings.policy);
        this.log = new EventLog(settings.eventCapacity);
        this.latencies = new LatencyWindow(settings.latencyWindow);
        this.estimate = new RetryEstimate(settings.p99TargetMs);
        this.feed = settings.sink == null ? null : new SinkFeed(lock, settings.sink);
        this.sliceLease = settings.sliceLease;
        this.maxInFlight = settings.sliceLease == null ? settings.maxInFlight : 0;
    }

    // Admission

    @Override
    public AcquireResult acquire(boolean hasRemoteCap, String requestId, long nowMs) {
        requireId(requestId);
        requireTime(nowMs);
        AcquireResult result;
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            result = admit(hasRemoteCap, requestId, nowMs, null);
            told = settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
        tell(told);
        return result;
    }

    /**
     * As above, for one that is told of its turn if it must wait, and may not wait already. Answered before others are
     * told: their ends and the sink run code of users, and the permit would be idle meanwhile.
     */
    <T> CompletionStage<T> submit(boolean hasRemoteCap, String requestId, long nowMs, Newcomer<T> newcomer) {
        requireId(requestId);
        AcquireResult result;
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            if (hasRemoteCap && line.waits(requestId, nowMs)) {
                throw new IllegalArgumentException("requestId: '" + requestId + "' (expected: not waiting already)");
            }
            result = admit(hasRemoteCap, requestId, nowMs, newcomer);
            told = settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
        try {
            tellTurns(told);
            return newcomer.answered(result);
        } finally {
            tellEnds(told);
        }
    }

    private AcquireResult admit(boolean hasRemoteCap, String requestId, long nowMs, @Nullable Waiter waiter) {
        if (!hasRemoteCap) {
            return reject(new RemoteCapRequired(), requestId, nowMs);
        }
        evict(nowMs);
        AcquireResult earlier = waiter == null ? poll(requestId, nowMs) : null;
        if (earlier != null) {
            return earlier;
        }
        if (closed || (drainTarget != NOT_DRAINING && !waitsForDrain())) {
            drainActive(nowMs);
            return reject(new Draining(inFlight, target()), requestId, nowMs);
        }
        if (sliceLease != null && !sliceLease.isLeased(nowMs)) {
            countDemand(1);
            sliceLease.call(SliceLease.Call.SOON);
            return reject(sliceLease.noLease(), requestId, nowMs);
        }
        if (inFlight < maxInFlight && line.isEmpty()) {
            return new AcquireResult.Granted(grant(requestId, nowMs));
        }
        return pressBack(requestId, nowMs, waiter);
    }

    /** One process with the cap of all would not drain: so who may wait waits until the slice has moved. */
    private boolean waitsForDrain() {
        return sliceLease != null && policy instanceof BackpressurePolicy.Queue;
    }

    private AcquireResult pressBack(String requestId, long nowMs, @Nullable Waiter waiter) {
        if (inFlight >= maxInFlight) {
            log(nowMs, BulkheadEventCode.RB_AT_CAPACITY, 0, requestId);
        }
        if (policy instanceof BackpressurePolicy.Reject) {
            countDemand(1);
            return reject(new AtCapacity(maxInFlight, inFlight), requestId, nowMs);
        }
        if (line.isFull()) {
            countDemand(1);
            return reject(new QueueSaturated(line.maxDepth()), requestId, nowMs);
        }
        int position = line.add(requestId, nowMs, waiter);
        countDemand(0);
        log(nowMs, BulkheadEventCode.RB_REQUEST_QUEUED, position, requestId);
        return new AcquireResult.Refused(new Queued(requestId, position, line.timeoutMs()));
    }

    private AcquireResult reject(BulkheadError error, String requestId, long nowMs) {
        logRejected(nowMs, error.code(), requestId);
        return new AcquireResult.Refused(error);
    }

    private BulkheadPermit grant(String requestId, long nowMs) {
        BulkheadPermit permit = nextPermit(nowMs);
        granted(requestId, nowMs);
        return permit;
    }

    /** Which is not out yet: there may be no memory for it, or for what else is needed. */
    private BulkheadPermit nextPermit(long nowMs) {
        return new BulkheadPermit(this, lastPermitId + 1, nowMs, maxInFlight);
    }

    private void granted(String requestId, long nowMs) {
        inFlight++;
        countDemand(0);
        lastPermitId++;
        log(nowMs, BulkheadEventCode.RB_PERMIT_ACQUIRED, lastPermitId, requestId);
    }

    @Override
    public AcquireResult pollQueued(String requestId, long nowMs) {
        requireNonNull(requestId, "requestId");
        requireTime(nowMs);
        AcquireResult result;
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            evict(nowMs);
            result = poll(requestId, nowMs);
            told = settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
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
        if (position == 1 && hasRoom(nowMs) && entry.waiter() == null) {
            AcquireResult granted = new AcquireResult.Granted(nextPermit(nowMs));
            line.remove(requestId);
            granted(requestId, nowMs);
            return granted;
        }
        return new AcquireResult.Refused(new Queued(requestId, position, line.timeoutMs()));
    }

    private boolean hasRoom(long nowMs) {
        return inFlight < maxInFlight
                && drainTarget == NOT_DRAINING
                && (sliceLease == null || sliceLease.isLeased(nowMs));
    }

    private void evict(long nowMs) {
        for (WaitingLine.Entry entry : line.evict(nowMs)) {
            logRejected(nowMs, TIMED_OUT, entry.requestId());
            Waiter waiter = entry.waiter();
            if (waiter != null) {
                notices().turns().add(waiter::expired);
            }
        }
    }

    @Override
    public boolean cancelQueued(String requestId, long nowMs) {
        requireNonNull(requestId, "requestId");
        requireTime(nowMs);
        boolean removed;
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            removed = cancel(requestId, nowMs);
            told = settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
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
        logRejected(nowMs, CANCELLED, requestId);
        Waiter waiter = removed.waiter();
        if (waiter != null) {
            notices().ends().add(waiter::cancelled);
        }
        return true;
    }

    // Return

    @Override
    public void release(BulkheadPermit permit, long nowMs) {
        requireNonNull(permit, "permit");
        requireTime(nowMs);
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            if (!permit.takeBack(this)) {
                throw new BulkheadException(new UnknownPermit(permit.permitId()));
            }
            released(permit, nowMs);
            told = settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
        tell(told);
    }

    private void released(BulkheadPermit permit, long nowMs) {
        inFlight--;
        estimate.held(Math.max(0, nowMs - permit.issuedAtMs()));
        if (inFlight < drainTarget) {
            drainTarget = NOT_DRAINING;
        }
        log(nowMs, BulkheadEventCode.RB_PERMIT_RELEASED, permit.permitId());
        if (drainTarget != NOT_DRAINING) {
            drainActive(nowMs);
        }
        leaveNoneOver(nowMs);
        if (sliceLease != null && (sliceLease.strict || closed)) {
            sliceLease.call(SliceLease.Call.NOW);
        }
    }

    // The cap

    @Override
    public void setMaxInFlight(int newCap, long nowMs) {
        MachineBuilder.requirePositive("newCap", newCap);
        requireTime(nowMs);
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            if (newCap != maxInFlight) {
                changeCap(newCap, nowMs);
            }
            told = settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
        tell(told);
    }

    private void changeCap(int newCap, long nowMs) {
        int oldCap = maxInFlight;
        maxInFlight = newCap;
        drainTarget = inFlight > newCap && newCap > 0 ? newCap : NOT_DRAINING;
        log(nowMs, BulkheadEventCode.RB_CAP_CHANGED, oldCap);
        if (drainTarget != NOT_DRAINING) {
            drainActive(nowMs);
        }
    }

    private void drainActive(long nowMs) {
        log(nowMs, BulkheadEventCode.RB_DRAIN_ACTIVE, target());
    }

    private int target() {
        return closed ? 0 : drainTarget;
    }

    // A slice of a greater cap

    private void countDemand(int turnedAway) {
        if (sliceLease != null) {
            sliceLease.count(inFlight + line.depth(), turnedAway);
            boolean wantsMore = sliceLease.strict ? !line.isEmpty() : maxInFlight < sliceLease.cap();
            if (inFlight >= maxInFlight && wantsMore) {
                sliceLease.call(SliceLease.Call.SOON);
            }
        }
    }

    /* A permit taken for one request is not for the next one. */
    private void leaveNoneOver(long nowMs) {
        if (sliceLease != null && sliceLease.strict && maxInFlight > inFlight) {
            changeCap(inFlight, nowMs);
        }
    }

    /** What could be used; counting begins anew. */
    Demand demand(SliceLease sliceLease) {
        lock.take();
        try {
            return sliceLease.take(maxInFlight, inFlight, line.depth(), line.arrivals(), closed);
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    /** If there is one to lose. */
    @Nullable
    SliceLease sliceLease() {
        return sliceLease;
    }

    /** Admits on this slice, which may be 0, until then; to be told. */
    Notices renew(SliceLease sliceLease, int slice, long untilMs, long nowMs) {
        lock.take();
        try {
            sliceLease.renew(untilMs, nowMs, lastPermitId);
            return resize(slice, nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    /** Goes on with this slice, which may be 0; to be told. */
    Notices cutTo(int slice, long nowMs) {
        lock.take();
        try {
            return resize(slice, nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    private Notices resize(int slice, long nowMs) {
        if (slice != maxInFlight) {
            changeCap(slice, nowMs);
        }
        return settle(nowMs);
    }

    /** Refuses all with a waiter up to this arrival; to be told. */
    Notices turnAway(long arrival, BulkheadError error, long nowMs) {
        lock.take();
        try {
            for (WaitingLine.Entry entry : line.removeUntil(arrival)) {
                logRejected(nowMs, error.code(), entry.requestId());
                Waiter waiter = requireNonNull(entry.waiter());
                notices().ends().add(() -> waiter.refused(error));
            }
            return settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    // For the client

    /** Takes a waiter out of the queue, or takes back the permit that it was given and has not heard of; to be told. */
    @SuppressWarnings("ReferenceEquality") // another request may wait under the same name by now
    Notices abandon(Waiter waiter, String requestId, long nowMs) {
        lock.take();
        try {
            WaitingLine.Entry entry = line.get(requestId);
            if (entry != null && entry.waiter() == waiter) {
                line.remove(requestId);
                logRejected(nowMs, CANCELLED, requestId);
            } else {
                takeBack(waiter.kept(), nowMs);
            }
            return settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    private void takeBack(@Nullable BulkheadPermit permit, long nowMs) {
        if (permit != null && permit.takeBack(this)) {
            released(permit, nowMs);
        }
    }

    /** Releases a permit and records the latency, if it is not negative, as one step; to be told. */
    Notices release(BulkheadPermit permit, long latencyMs, long nowMs) {
        lock.take();
        try {
            if (permit.takeBack(this)) {
                if (latencyMs >= 0) {
                    recordLatency(latencyMs, nowMs);
                }
                released(permit, nowMs);
            }
            return settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    /** Ends the wait of all that have expired; to be told. */
    Notices expire(long nowMs) {
        StackRoom.requireTwice();
        lock.take();
        try {
            evict(nowMs);
            return settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    /** In how many milliseconds somebody may expire. */
    long nextExpiryMs(long nowMs) {
        lock.take();
        try {
            return line.nextExpiryMs(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    /** Admits nobody new from now on. Runs the action once nothing is in flight and nobody waits. */
    void close(Runnable whenNothingIsLeft, long nowMs) {
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            if (!closed) {
                closed = true;
                drainActive(nowMs);
            }
            evict(nowMs);
            whenEmpty.add(whenNothingIsLeft);
            told = settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
        tell(told);
    }

    /** What is left when nobody waits any longer for nothing to be left. */
    DrainReport giveUp(Runnable whenNothingIsLeft, long nowMs) {
        DrainReport left;
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            whenEmpty.remove(whenNothingIsLeft);
            evict(nowMs);
            told = settle(nowMs);
            left = new DrainReport(inFlight, line.depth());
        } finally {
            lock.state = BriefLock.FREE;
        }
        tell(told);
        return left;
    }

    /** The greatest time of any operation so far, or 0. */
    long latestMs() {
        lock.take();
        try {
            return latestMs;
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    boolean takeCapability() {
        lock.take();
        try {
            boolean first = !capabilityTaken;
            capabilityTaken = true;
            return first;
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    /** How long another try should wait: until who is ahead has had a turn, at the pace of late. */
    long retryAfterMs() {
        lock.take();
        try {
            long ahead = (long) line.depth() + Math.max(0, inFlight - maxInFlight);
            long least = sliceLease == null ? 0 : sliceLease.leastRetryMs;
            return Math.max(least, estimate.retryAfterMs(ahead, maxInFlight));
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    /** How long permits are held, of late. */
    long holdMs() {
        lock.take();
        try {
            return estimate.holdMs();
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    // After each operation

    /** Admits waiters as far as there is room; what must now be told outside. */
    private Notices settle(long nowMs) {
        latestMs = Math.max(latestMs, nowMs);
        for (WaitingLine.Entry head = line.head(); head != null && hasRoom(nowMs); head = line.head()) {
            Waiter waiter = head.waiter();
            if (waiter == null) {
                break;
            }
            giveTurn(head.requestId(), waiter, nowMs);
        }
        leaveNoneOver(nowMs);
        if (closed && inFlight == 0 && line.isEmpty() && !whenEmpty.isEmpty()) {
            notices().ends().addAll(whenEmpty);
            whenEmpty.clear();
        }
        Notices told = notices;
        if (told == null) {
            return Notices.NONE;
        }
        notices = null;
        return told;
    }

    /*
     * One whose time is up gets none, whether or not somebody has looked. What needs memory comes first: who cannot be let
     * in for want of it keeps its place.
     */
    private void giveTurn(String requestId, Waiter waiter, long nowMs) {
        if (line.waits(requestId, nowMs)) {
            waiter.keep(nextPermit(nowMs));
            notices().turns().add(waiter::granted);
            line.remove(requestId);
            granted(requestId, nowMs);
        } else {
            notices().turns().add(waiter::expired);
            line.remove(requestId);
            logRejected(nowMs, TIMED_OUT, requestId);
        }
    }

    private Notices notices() {
        if (notices == null) {
            notices = new Notices();
        }
        return notices;
    }

    /** Tells what an operation has left to tell. */
    void tell(Notices told) {
        tellTurns(told);
        tellEnds(told);
    }

    void tellTurns(Notices told) {
        try {
            told.tellTurns();
        } catch (Throwable outOfStack) {
            leave(told);
        }
    }

    /** The rest, when the turns have been told. */
    void tellEnds(Notices told) {
        try {
            told.tellEnds();
        } catch (Throwable outOfStack) {
            leave(told);
        }
        if (feed != null) {
            feed.tell();
        }
        if (sliceLease != null) {
            sliceLease.tellKeeper();
        }
    }

    /*
     * A turn that nobody was told of would be a permit lost. Where there is no stack to tell it, another thread does,
     * or whoever comes next. Being told twice changes nothing.
     */
    private void leave(Notices rest) {
        lock.take();
        try {
            notices().add(rest);
        } finally {
            lock.state = BriefLock.FREE;
        }
        try {
            Timekeeper.now(left);
        } catch (Throwable outOfStack) {
            // whoever comes next
        }
    }

    private void tellLeft() {
        Notices told;
        lock.take();
        try {
            told = settle(latestMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
        tell(told);
    }

    private void log(long nowMs, BulkheadEventCode code, long number) {
        log.append(code, nowMs, inFlight, maxInFlight, number);
        keepForSink();
    }

    private void log(long nowMs, BulkheadEventCode code, long number, String requestId) {
        log.append(code, nowMs, inFlight, maxInFlight, number, requestId);
        keepForSink();
    }

    private void logRejected(long nowMs, String reason, String requestId) {
        log.appendRejected(nowMs, inFlight, maxInFlight, reason, requestId);
        keepForSink();
    }

    private void keepForSink() {
        if (feed != null) {
            feed.add(log.latest());
        }
    }

    // Latency

    @Override
    public void recordForegroundLatency(long latencyMs) {
        requireLatency(latencyMs);
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            recordLatency(latencyMs, latestMs);
            told = settle(latestMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
        tell(told);
    }

    @Override
    public void recordForegroundLatency(long latencyMs, long nowMs) {
        requireLatency(latencyMs);
        requireTime(nowMs);
        Notices told;
        StackRoom.requireTwice();
        lock.take();
        try {
            recordLatency(latencyMs, nowMs);
            told = settle(nowMs);
        } finally {
            lock.state = BriefLock.FREE;
        }
        tell(told);
    }

    private void recordLatency(long latencyMs, long nowMs) {
        latencies.record(latencyMs, inFlight);
        log(nowMs, BulkheadEventCode.RB_LATENCY_REPORT, latencyMs);
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
            lock.state = BriefLock.FREE;
        }
    }

    @Override
    public boolean latencyWithinTarget() {
        lock.take();
        try {
            return latencies.isEmpty() || latencies.p99() <= p99TargetMs;
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    // Looking

    @Override
    public int maxInFlight() {
        lock.take();
        try {
            return maxInFlight;
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    @Override
    public int inFlight() {
        lock.take();
        try {
            return inFlight;
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    @Override
    public int queueDepth() {
        lock.take();
        try {
            return line.depth();
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    @Override
    public OptionalInt drainingTarget() {
        lock.take();
        try {
            return closed || drainTarget != NOT_DRAINING ? OptionalInt.of(target()) : OptionalInt.empty();
        } finally {
            lock.state = BriefLock.FREE;
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
        EventLog seen;
        lock.take();
        try {
            seen = log.copy();
        } finally {
            lock.state = BriefLock.FREE;
        }
        return Collections.unmodifiableList(seen.events());
    }

    @Override
    public long droppedEvents() {
        lock.take();
        try {
            return log.dropped();
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    @Override
    public List<ForegroundLatencySample> latencySamples() {
        lock.take();
        try {
            return latencies.samples();
        } finally {
            lock.state = BriefLock.FREE;
        }
    }

    @Override
    public String toString() {
        lock.take();
        try {
            return "RemoteBulkhead(" + inFlight + " of " + maxInFlight + " in flight, " + line.depth() + " waiting)";
        } finally {
            lock.state = BriefLock.FREE;
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
