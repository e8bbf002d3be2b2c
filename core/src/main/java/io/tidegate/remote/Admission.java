package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import io.tidegate.Reading;
import io.tidegate.remote.BulkheadError.AtCapacity;
import io.tidegate.remote.BulkheadError.Draining;
import io.tidegate.remote.BulkheadError.NoLease;
import io.tidegate.remote.BulkheadError.QueueSaturated;
import io.tidegate.remote.BulkheadError.QueueTimeout;
import io.tidegate.remote.BulkheadError.Queued;
import io.tidegate.remote.BulkheadError.RemoteCapRequired;
import io.tidegate.remote.BulkheadError.UnknownRequest;
import io.tidegate.slice.Demand;
import io.tidegate.slice.SliceLease;
import io.tidegate.stage.PendingNotifications;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides which requests are admitted, wait or are refused. Not thread-safe. */
final class Admission {
    /*
     * A state machine: its answers depend only on its operations and the times given with them. It runs no user code,
     * waits for nothing and reads no clock. Besides its answer an operation produces events, which go to the log, in
     * order; and notifications for waiting requests, which are collected until `settle` returns them to the thread that
     * delivers them.
     *
     * Each operation is followed by `settle`, which admits waiting requests while there is room. An entry of the queue
     * with a waiter is admitted there; an entry without a waiter is admitted when its owner polls.
     *
     * After the cap was lowered, `drainTarget` is the cap that `inFlight` must fall below; otherwise NOT_DRAINING.
     * `closed` refuses new requests in the same way, with a target of 0, but admits those that wait.
     *
     * With a `lease` the cap is a slice of a larger cap. It may then be 0, no request is admitted once the lease has
     * ended, and the lease gets what the keeper of the slice must know.
     */
    private static final int NOT_DRAINING = -1;
    private static final String CANCELLED = "CANCELLED";
    private static final String TIMED_OUT = "RB_ERR_QUEUE_TIMEOUT";

    private final BackpressurePolicy policy;
    private final WaitingLine line;
    private final EventLog log;
    private final RetryEstimate estimate;
    private final @Nullable SliceLease lease;
    private final Set<Runnable> whenEmpty = new LinkedHashSet<>();
    private final Rejections rejections = new Rejections();
    private int maxInFlight;
    private int inFlight;
    private int drainTarget = NOT_DRAINING;
    private boolean closed;
    private long lastPermitId;
    private long neverStarted;
    private long latestMs;
    private @Nullable PendingNotifications notices;

    Admission(RemoteBulkheadBuilder settings, EventLog log) {
        this.policy = settings.policy;
        this.line = new WaitingLine(settings.policy);
        this.log = log;
        this.estimate = new RetryEstimate(settings.p99TargetMs);
        this.lease = settings.lease;
        this.maxInFlight = settings.lease == null ? settings.maxInFlight : 0;
    }

    // New requests

    /**
     * @param waiter the request to notify if it must wait; it must not wait already. Null for a caller that asks again
     * itself
     */
    AcquireResult admit(boolean hasRemoteCap, String requestId, long nowMs, @Nullable QueuedRequest waiter) {
        if (!hasRemoteCap) {
            return reject(new RemoteCapRequired(), requestId, nowMs);
        }
        if (waiter != null && line.waits(requestId, nowMs)) {
            throw new IllegalArgumentException("requestId: '" + requestId + "' (expected: not waiting already)");
        }
        expire(nowMs);
        AcquireResult earlier = waiter == null ? askedAgain(requestId, nowMs) : null;
        if (earlier != null) {
            return earlier;
        }
        if (closed || (drainTarget != NOT_DRAINING && !waitsForDrain())) {
            logDrain(nowMs);
            return reject(new Draining(inFlight, target()), requestId, nowMs);
        }
        if (lease != null && !lease.isLeased(nowMs)) {
            count(1);
            lease.missed();
            return reject(new NoLease(lease.whyNone()), requestId, nowMs);
        }
        if (inFlight < maxInFlight && line.isEmpty()) {
            AcquireResult granted = new AcquireResult.Granted(nextPermit(nowMs));
            granted(requestId, nowMs);
            return granted;
        }
        return applyPolicy(requestId, nowMs, waiter);
    }

    /**
     * Returns whether a request may wait while this process drains: the cluster as a whole may have room, so the
     * request waits until the slice has moved.
     */
    private boolean waitsForDrain() {
        return lease != null && policy instanceof BackpressurePolicy.Queue;
    }

    private AcquireResult applyPolicy(String requestId, long nowMs, @Nullable QueuedRequest waiter) {
        if (inFlight >= maxInFlight) {
            log(nowMs, BulkheadEventCode.RB_AT_CAPACITY, 0, requestId);
        }
        if (policy instanceof BackpressurePolicy.Reject) {
            count(1);
            return reject(new AtCapacity(maxInFlight, inFlight), requestId, nowMs);
        }
        if (line.isFull()) {
            count(1);
            return reject(new QueueSaturated(line.maxDepth()), requestId, nowMs);
        }
        int position = line.add(requestId, nowMs, waiter);
        if (waiter != null) {
            waiter.queued();
        }
        count(0);
        log(nowMs, BulkheadEventCode.RB_REQUEST_QUEUED, position, requestId);
        return new AcquireResult.Refused(new Queued(requestId, position, line.timeoutMs()));
    }

    private AcquireResult reject(BulkheadError error, String requestId, long nowMs) {
        logRejected(nowMs, error.code(), requestId);
        return new AcquireResult.Refused(error);
    }

    /**
     * Makes the next permit, which counts as out only after {@link #granted}: there may be no memory for it, or for
     * other things that the request needs.
     */
    private BulkheadPermit nextPermit(long nowMs) {
        return new BulkheadPermit(this, lastPermitId + 1, nowMs, maxInFlight);
    }

    private void granted(String requestId, long nowMs) {
        inFlight++;
        count(0);
        lastPermitId++;
        log(nowMs, BulkheadEventCode.RB_PERMIT_ACQUIRED, lastPermitId, requestId);
    }

    private void count(int turnedAway) {
        if (lease != null) {
            lease.count(maxInFlight, inFlight, line.depth(), turnedAway);
        }
    }

    // Waiting

    AcquireResult poll(String requestId, long nowMs) {
        expire(nowMs);
        AcquireResult result = askedAgain(requestId, nowMs);
        return result != null ? result : new AcquireResult.Refused(new UnknownRequest(requestId));
    }

    /** Returns the answer for a request that waits or has expired; null for an unknown request. */
    private @Nullable AcquireResult askedAgain(String requestId, long nowMs) {
        WaitingLine.Entry entry = line.get(requestId);
        if (entry == null) {
            return line.reportExpired(requestId) ? new AcquireResult.Refused(new QueueTimeout(requestId)) : null;
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
        return inFlight < maxInFlight && drainTarget == NOT_DRAINING && (lease == null || lease.isLeased(nowMs));
    }

    /** Ends the wait of all requests whose time is up. */
    void expire(long nowMs) {
        for (WaitingLine.Entry entry : line.evict(nowMs)) {
            logRejected(nowMs, TIMED_OUT, entry.requestId());
            QueuedRequest waiter = entry.waiter();
            if (waiter != null) {
                notices().handovers().add(waiter::expired);
            }
        }
    }

    boolean cancel(String requestId, long nowMs) {
        line.reportExpired(requestId);
        WaitingLine.Entry removed = line.remove(requestId);
        if (removed == null) {
            return false;
        }
        logRejected(nowMs, CANCELLED, requestId);
        QueuedRequest waiter = removed.waiter();
        if (waiter != null) {
            notices().ends().add(waiter::cancelled);
        }
        return true;
    }

    /**
     * Takes a waiter out of the queue, or takes back the permit that was given to the waiter and that it does not know
     * of.
     */
    @SuppressWarnings("ReferenceEquality") // another request may wait under the same name by now
    void abandon(QueuedRequest waiter, String requestId, long nowMs) {
        WaitingLine.Entry entry = line.get(requestId);
        if (entry != null && entry.waiter() == waiter) {
            line.remove(requestId);
            logRejected(nowMs, CANCELLED, requestId);
            return;
        }
        BulkheadPermit permit = waiter.kept();
        if (permit != null && permit.takeBack(this)) {
            neverStarted++;
            released(permit, nowMs);
        }
    }

    // Permits that come back

    /** Counts a permit that was {@linkplain BulkheadPermit#takeBack taken back}. */
    void released(BulkheadPermit permit, long nowMs) {
        inFlight--;
        estimate.held(Math.max(0, nowMs - permit.issuedAtMs()));
        if (inFlight < drainTarget) {
            drainTarget = NOT_DRAINING;
        }
        log(nowMs, BulkheadEventCode.RB_PERMIT_RELEASED, permit.permitId());
        if (drainTarget != NOT_DRAINING) {
            logDrain(nowMs);
        }
        if (lease != null) {
            leaveNoneOver(lease, nowMs);
            lease.returned(closed);
        }
    }

    /** Refuses new requests from now on. Runs the action when nothing is in flight or waits. */
    void close(Runnable whenNothingIsLeft, long nowMs) {
        if (!closed) {
            closed = true;
            logDrain(nowMs);
        }
        expire(nowMs);
        whenEmpty.add(whenNothingIsLeft);
    }

    /** Returns what is left, and drops the action. */
    DrainReport giveUp(Runnable whenNothingIsLeft, long nowMs) {
        whenEmpty.remove(whenNothingIsLeft);
        expire(nowMs);
        letIn(nowMs);
        return new DrainReport(inFlight, line.depth());
    }

    // The cap

    void changeCap(int newCap, long nowMs) {
        if (newCap == maxInFlight) {
            return;
        }
        int oldCap = maxInFlight;
        maxInFlight = newCap;
        drainTarget = inFlight > newCap && newCap > 0 ? newCap : NOT_DRAINING;
        log(nowMs, BulkheadEventCode.RB_CAP_CHANGED, oldCap);
        if (drainTarget != NOT_DRAINING) {
            logDrain(nowMs);
        }
    }

    private int target() {
        return closed ? 0 : drainTarget;
    }

    // A slice of a larger cap

    Demand demand() {
        return lease().take(maxInFlight, inFlight, line.depth(), line.arrivals(), closed);
    }

    void renew(int slice, long untilMs, long nowMs) {
        lease().renew(untilMs, nowMs, lastPermitId);
        changeCap(slice, nowMs);
    }

    /** Refuses all requests with a waiter that waited when the demand was taken. */
    void turnAway(Demand asked, int cap, long nowMs) {
        boolean answered = cap > 0 && lease().isLeased(nowMs);
        BulkheadError error = answered ? new AtCapacity(cap, asked.inFlight()) : new NoLease(lease().whyNone());
        for (WaitingLine.Entry entry : line.removeUntil(asked.arrivals())) {
            logRejected(nowMs, error.code(), entry.requestId());
            QueuedRequest waiter = requireNonNull(entry.waiter());
            notices().ends().add(() -> waiter.refused(error));
        }
    }

    private SliceLease lease() {
        return requireNonNull(lease);
    }

    private void leaveNoneOver(SliceLease lease, long nowMs) {
        changeCap(lease.kept(maxInFlight, inFlight), nowMs);
    }

    // After each operation

    /** Admits waiting requests while there is room. Returns the notifications to deliver with nothing held. */
    PendingNotifications settle(long nowMs) {
        latestMs = Math.max(latestMs, nowMs);
        letIn(nowMs);
        if (closed && inFlight == 0 && line.isEmpty() && !whenEmpty.isEmpty()) {
            notices().ends().addAll(whenEmpty);
            whenEmpty.clear();
        }
        PendingNotifications told = notices;
        if (told == null) {
            return PendingNotifications.NONE;
        }
        notices = null;
        return told;
    }

    private void letIn(long nowMs) {
        for (WaitingLine.Entry head = line.head(); head != null && hasRoom(nowMs); head = line.head()) {
            QueuedRequest waiter = head.waiter();
            if (waiter == null) {
                break;
            }
            letIn(head.requestId(), waiter, nowMs);
        }
        if (lease != null) {
            leaveNoneOver(lease, nowMs);
        }
    }

    /*
     * A request whose time is up is not admitted, even if its expiry was not noticed yet. What needs memory comes
     * first: a request that cannot be admitted for lack of memory keeps its position.
     */
    private void letIn(String requestId, QueuedRequest waiter, long nowMs) {
        if (line.waits(requestId, nowMs)) {
            waiter.keep(nextPermit(nowMs));
            notices().handovers().add(waiter::granted);
            line.remove(requestId);
            granted(requestId, nowMs);
        } else {
            notices().handovers().add(waiter::expired);
            line.remove(requestId);
            logRejected(nowMs, TIMED_OUT, requestId);
        }
    }

    /** Keeps notifications that could not be delivered, so that they follow with the next ones. */
    void leave(PendingNotifications rest) {
        notices().add(rest);
    }

    private PendingNotifications notices() {
        if (notices == null) {
            notices = new PendingNotifications();
        }
        return notices;
    }

    // Reads

    int maxInFlight() {
        return maxInFlight;
    }

    int inFlight() {
        return inFlight;
    }

    int waiting() {
        return line.depth();
    }

    OptionalInt drainingTarget() {
        return closed || drainTarget != NOT_DRAINING ? OptionalInt.of(target()) : OptionalInt.empty();
    }

    /** Returns the present figures. */
    Figures figures() {
        return new Figures(
                inFlight,
                maxInFlight,
                line.depth(),
                drainingTarget().isPresent(),
                lastPermitId,
                neverStarted,
                rejections.byReason());
    }

    /**
     * The present figures.
     *
     * @param neverStarted permits that came back because their request had ended before it could start
     * @param rejections how many requests were rejected, by reason: a code, or {@link #CANCELLED}
     */
    record Figures(
            int inFlight,
            int maxInFlight,
            int waiting,
            boolean draining,
            long granted,
            long neverStarted,
            Map<String, Long> rejections) {
        void read(Reading to) {
            to.gauge("in.flight", inFlight);
            to.gauge("limit", maxInFlight);
            to.gauge("waiting", waiting);
            to.gauge("draining", draining ? 1 : 0);
            to.count("admitted", granted);
            to.count("gave.up", neverStarted + rejections.getOrDefault(CANCELLED, 0L));
            rejections.forEach((reason, count) -> {
                if (!CANCELLED.equals(reason)) {
                    to.count("refused", count, "code", reason);
                }
            });
        }

        long ended() {
            return granted - inFlight - neverStarted;
        }
    }

    /** Returns the greatest time of any operation so far, or 0. */
    long latestMs() {
        return latestMs;
    }

    /** Returns in how many milliseconds a request may expire. */
    long nextExpiryMs(long nowMs) {
        return line.nextExpiryMs(nowMs);
    }

    /** Returns how long permits were held recently. */
    long holdMs() {
        return estimate.holdMs();
    }

    /** Returns how long another try should wait: until all requests ahead have had a permit, at the recent pace. */
    long retryAfterMs() {
        long ahead = (long) line.depth() + Math.max(0, inFlight - maxInFlight);
        long least = lease == null ? 0 : lease.leastRetryMs();
        return Math.max(least, estimate.retryAfterMs(ahead, maxInFlight));
    }

    // The log

    private void log(long nowMs, BulkheadEventCode code, long number) {
        log.append(code, nowMs, inFlight, maxInFlight, number);
    }

    private void log(long nowMs, BulkheadEventCode code, long number, String requestId) {
        log.append(code, nowMs, inFlight, maxInFlight, number, requestId);
    }

    private void logRejected(long nowMs, String reason, String requestId) {
        rejections.count(reason);
        log.appendRejected(nowMs, inFlight, maxInFlight, reason, requestId);
    }

    private void logDrain(long nowMs) {
        log(nowMs, BulkheadEventCode.RB_DRAIN_ACTIVE, target());
    }
}
