package io.tidegate.testkit;

import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import io.tidegate.testkit.BulkheadAudit.Source;
import java.io.Serial;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A bulkhead's state, rebuilt event by event. */
final class BulkheadReplay {
    /*
     * A log from its beginning shows everything. In a log that lost its beginning, the first event shows the counts,
     * and a permit taken before is known only by its return. How many waiting requests came before is known once a
     * request queues, because that event has a position; until then `older` is UNKNOWN. Whether the cap is being
     * drained is open as long as the counts alone do not decide it: exactly at the cap it may be or not.
     *
     * A log does not show the policy, but the policy never changes. Requests rejected for being full and requests
     * queued have different ones. The queue's depth shows when it is full, and is at least every position that was
     * given. The time-out is at most what any expired request waited (`shortestExpired`). It is more than what any
     * request had waited that stayed in the queue when the expired ones were removed, or that was given a permit
     * (`longestKept`). If these contradict each other, no bulkhead has written the log.
     *
     * The events of one operation come together, at one time. `owed` is what the event before requires.
     *
     * Any request that comes or asks first removes all expired ones together. But a client's request is admitted by an
     * operation that makes room or lets it move up, and a request whose time is up then goes alone. So a grant right
     * after such an event may be either; any other grant shows that no expired request was left.
     */
    private static final int UNKNOWN = -1;
    private static final String CAPPED = "INV-RB-CAPPED";
    private static final String BACKPRESSURE = "INV-RB-BACKPRESSURE";
    private static final String SAFE_DRAIN = "INV-RB-SAFE-DRAIN";
    private static final String GATED = "INV-RB-GATED";
    private static final String AUDITABLE = "INV-RB-AUDITABLE";
    private static final String FULL = "RB_ERR_AT_CAPACITY";
    private static final String SATURATED = "RB_ERR_QUEUE_SATURATED";
    private static final String DRAINING = "RB_ERR_DRAINING";

    private enum Drain {
        NO,
        PERHAPS,
        YES
    }

    /** What must come right after an event. */
    private enum Owed {
        NOTHING,
        ANSWER, // to the request that found every permit out
        DRAIN_EVENT,
        REFUSAL, // because it drains
        PERHAPS_REFUSAL // if the first event of a log that lost its beginning was caused by it
    }

    private final boolean complete;
    private final boolean member;
    private boolean begun;
    private int inFlight;
    private int cap;
    private Drain drain = Drain.NO;
    private boolean closed;
    private Owed owed = Owed.NOTHING;
    private @Nullable String atCapacity; // the request that must be answered next
    private boolean evicting;
    private boolean gaveWay; // the event before made room
    private long nowMs;
    private boolean rejects;
    private boolean queues;
    private int maxDepth = UNKNOWN;
    private int deepest;
    private long shortestExpired = Long.MAX_VALUE;
    private long longestKept;
    private final Set<Long> back = new HashSet<>();
    private long firstPermit = Long.MAX_VALUE; // in this log
    private long highestBack;
    private long lastPermit = UNKNOWN;
    private final Set<Long> out = new HashSet<>();
    private final Map<String, Long> waiting = new LinkedHashMap<>(); // since when
    private long earliestMs = Long.MAX_VALUE; // no request waits for longer, and perhaps all for less
    private int older;

    /** A promise that an event breaks. */
    static final class Broken extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        private final String invariant;
        private final String why;

        Broken(String invariant, String why) {
            super(invariant + ": " + why, null, false, false);
            this.invariant = invariant;
            this.why = why;
        }

        String invariant() {
            return invariant;
        }

        String why() {
            return why;
        }
    }

    /** Starts before the first event of all, or later in a log. A known policy need not be guessed. */
    BulkheadReplay(boolean complete, Source source, @Nullable BackpressurePolicy policy) {
        this.complete = complete;
        this.member = source == Source.CLUSTER_MEMBER;
        this.older = complete ? 0 : UNKNOWN;
        if (policy instanceof BackpressurePolicy.Queue queue) {
            queues = true;
            maxDepth = queue.maxDepth();
            shortestExpired = queue.timeoutMs();
            longestKept = queue.timeoutMs() - 1;
        } else {
            rejects = policy != null;
        }
    }

    void play(BulkheadEvent event) throws Broken {
        EventDetail detail = EventDetail.of(event.detail());
        require(detail.isOf(event.eventCode()), AUDITABLE, "its detail is not that of its code");
        require(event.nowMs() >= 0, AUDITABLE, "a time below 0");
        boolean first = !begun;
        if (first) {
            begin(event, detail);
        }
        Owed due = followUp(event, detail);
        endOfEviction(event, detail);
        // A member's lease may be renewed without an event, and the cause of the first event is open if the log lost
        // its beginning.
        boolean givesWay = member || (first && !complete) || (gaveWay && event.nowMs() == nowMs);
        gaveWay = false;
        nowMs = event.nowMs();
        owed = Owed.NOTHING;
        switch (event.eventCode()) {
            case RB_PERMIT_ACQUIRED -> acquired(detail, givesWay);
            case RB_PERMIT_RELEASED -> released(detail);
            case RB_AT_CAPACITY -> atCapacity(detail);
            case RB_REQUEST_QUEUED -> queued(detail, due);
            case RB_REQUEST_REJECTED -> rejected(detail, due, givesWay);
            case RB_CAP_CHANGED -> capChanged(detail);
            case RB_DRAIN_ACTIVE -> drainActive(detail, due, first);
            case RB_LATENCY_REPORT -> require(detail.number("latencyMs") >= 0, AUDITABLE, "a latency below 0");
        }
        require(
                event.inFlight() == inFlight,
                AUDITABLE,
                "it says " + event.inFlight() + " in flight, and there are " + inFlight);
        require(
                event.maxInFlight() == cap,
                AUDITABLE,
                "it says a cap of " + event.maxInFlight() + ", and it is " + cap);
        require(cap > 0 || member, CAPPED, "a cap of " + cap);
    }

    /** No event follows. */
    void end() throws Broken {
        switch (owed) {
            case ANSWER -> throw unanswered();
            case DRAIN_EVENT -> throw new Broken(SAFE_DRAIN, "draining goes on, and no event after it says so");
            case REFUSAL -> throw new Broken(BACKPRESSURE, "draining was reported to a request that was not rejected");
            default -> {}
        }
        if (evicting) {
            nobodyExpired();
        }
    }

    /* Derives the counts before the first event. */
    private void begin(BulkheadEvent event, EventDetail detail) throws Broken {
        begun = true;
        cap = event.maxInFlight();
        inFlight = event.inFlight();
        switch (event.eventCode()) {
            case RB_PERMIT_ACQUIRED -> inFlight--;
            case RB_PERMIT_RELEASED -> inFlight++;
            case RB_CAP_CHANGED -> cap = detail.count("from");
            default -> {}
        }
        if (complete) {
            inFlight = 0;
            lastPermit = 0;
            require(cap == 0 || !member, CAPPED, "a member begins with a cap of " + cap);
        } else {
            drain = inFlight < cap || cap == 0 ? Drain.NO : inFlight > cap ? Drain.YES : Drain.PERHAPS;
            assumeEventBefore(event, detail);
        }
    }

    /* The event that must have come right before was dropped. */
    private void assumeEventBefore(BulkheadEvent event, EventDetail detail) {
        nowMs = event.nowMs();
        boolean rejection = event.eventCode() == BulkheadEventCode.RB_REQUEST_REJECTED;
        String reason = rejection ? detail.text("reason") : "";
        boolean byCapacity = event.eventCode() == BulkheadEventCode.RB_REQUEST_QUEUED
                || reason.equals(FULL)
                || reason.equals(SATURATED);
        if (reason.equals(DRAINING)) {
            owed = Owed.REFUSAL;
        } else if (byCapacity && inFlight >= cap) {
            owed = Owed.ANSWER;
            atCapacity = detail.text("request");
        }
    }

    /* Some events must follow another one immediately, as part of the same operation. */
    private Owed followUp(BulkheadEvent event, EventDetail detail) throws Broken {
        BulkheadEventCode code = event.eventCode();
        String reason = code == BulkheadEventCode.RB_REQUEST_REJECTED ? detail.text("reason") : "";
        Owed due = owed;
        if (due == Owed.PERHAPS_REFUSAL) {
            due = reason.equals(DRAINING) ? Owed.REFUSAL : Owed.NOTHING;
        }
        switch (due) {
            case ANSWER -> {
                require(!reason.equals("RB_ERR_NO_REMOTECAP"), GATED, "capacity was looked at before the capability");
                boolean answer =
                        code == BulkheadEventCode.RB_REQUEST_QUEUED || reason.equals(FULL) || reason.equals(SATURATED);
                if (!answer || !detail.text("request").equals(atCapacity)) {
                    throw unanswered();
                }
            }
            case DRAIN_EVENT ->
                require(
                        code == BulkheadEventCode.RB_DRAIN_ACTIVE,
                        SAFE_DRAIN,
                        "draining goes on, and the event after does not say so");
            case REFUSAL ->
                require(
                        reason.equals(DRAINING),
                        BACKPRESSURE,
                        "draining was reported to a request that was not rejected");
            default -> {}
        }
        require(
                due == Owed.NOTHING || event.nowMs() == nowMs,
                AUDITABLE,
                "it is part of what happened at " + nowMs + " ms");
        return due;
    }

    private Broken unanswered() {
        return new Broken(
                BACKPRESSURE, "request " + atCapacity + " found the bulkhead full and was neither queued nor rejected");
    }

    private void acquired(EventDetail detail, boolean givesWay) throws Broken {
        String request = detail.text("request");
        long permit = detail.number("permit");
        require(drain != Drain.YES, SAFE_DRAIN, "a permit while draining");
        drain = Drain.NO;
        require(inFlight < cap, CAPPED, "a permit with " + inFlight + " of " + cap + " in flight");
        require(
                lastPermit == UNKNOWN || permit == lastPermit + 1,
                AUDITABLE,
                "permit " + permit + " after permit " + lastPermit);
        require(
                permit > 0 && permit > highestBack,
                AUDITABLE,
                "permit " + permit + " after the return of permit " + highestBack);
        takeTurn(request, givesWay);
        firstPermit = Math.min(firstPermit, permit);
        lastPermit = permit;
        out.add(permit);
        inFlight++;
    }

    private void takeTurn(String request, boolean givesWay) throws Broken {
        Long since = waiting.get(request);
        if (older == 0 && waiting.isEmpty()) {
            require(!closed, SAFE_DRAIN, "a newcomer when closed");
        } else if (since != null) {
            require(older <= 0, BACKPRESSURE, older + " that wait for longer were passed over");
            require(
                    waiting.keySet().iterator().next().equals(request),
                    BACKPRESSURE,
                    "it is the turn of request " + first());
            keptAfter(nowMs - since, request);
            waiting.remove(request);
            older = 0;
            gaveWay = true;
            if (!givesWay) {
                nobodyExpired();
            }
        } else {
            require(older != 0, BACKPRESSURE, "a newcomer before request " + first());
            leaveUnseen();
        }
    }

    private String first() {
        return waiting.isEmpty() ? "that waits" : waiting.keySet().iterator().next();
    }

    /* A request that began to wait before the log begins leaves. */
    private void leaveUnseen() {
        if (older > 0) {
            older--;
        }
    }

    private void released(EventDetail detail) throws Broken {
        long permit = detail.number("permit");
        boolean known = out.remove(permit);
        boolean before = !complete && permit > 0 && permit < firstPermit && back.add(permit);
        require(known || before, CAPPED, "permit " + permit + " is not out");
        highestBack = Math.max(highestBack, permit);
        boolean hadRoom = hasRoom();
        require(inFlight > 0, CAPPED, "a return with nothing in flight");
        inFlight--;
        if (inFlight < cap) {
            drain = Drain.NO;
        }
        gaveWay = !hadRoom;
        if (drain == Drain.YES) {
            owed = Owed.DRAIN_EVENT;
        }
    }

    private boolean hasRoom() {
        return inFlight < cap && drain == Drain.NO;
    }

    private void atCapacity(EventDetail detail) throws Broken {
        String request = detail.text("request");
        require(inFlight >= cap, BACKPRESSURE, "not full: " + inFlight + " of " + cap + " in flight");
        comes(request);
        requireNoDrain("an answer by capacity while draining");
        atCapacity = request;
        owed = Owed.ANSWER;
    }

    /* A request that comes, and does not wait already, has removed the expired ones. */
    private void comes(String request) throws Broken {
        require(!waiting.containsKey(request), BACKPRESSURE, "request " + request + " waits already");
        nobodyExpired();
    }

    private void nobodyExpired() throws Broken {
        if (nowMs - earliestMs > longestKept) {
            earliestMs = Long.MAX_VALUE;
            for (Map.Entry<String, Long> each : waiting.entrySet()) {
                keptAfter(nowMs - each.getValue(), each.getKey());
                earliestMs = Math.min(earliestMs, each.getValue());
            }
        }
    }

    private void keptAfter(long waitedMs, String request) throws Broken {
        longestKept = Math.max(longestKept, waitedMs);
        requireOneTimeout("request " + request + " has waited for " + waitedMs + " ms");
    }

    private void requireOneTimeout(String why) throws Broken {
        require(
                longestKept < shortestExpired,
                BACKPRESSURE,
                why + ", where " + longestKept + " ms were not too long and " + shortestExpired + " ms were");
    }

    private void queued(EventDetail detail, Owed due) throws Broken {
        String request = detail.text("request");
        int position = detail.count("position");
        comes(request);
        requireNoDrain("queued while draining");
        require(!rejects, BACKPRESSURE, "queued, and an earlier one was rejected for being full");
        require(inFlight < cap || due == Owed.ANSWER, BACKPRESSURE, "full, and the event before does not say so");
        if (older == UNKNOWN) {
            older = position - 1 - waiting.size();
        }
        require(
                older >= 0 && position == older + waiting.size() + 1,
                BACKPRESSURE,
                "position " + position + " behind " + (older + waiting.size()) + " others");
        require(inFlight >= cap || position > 1, BACKPRESSURE, "queued though there is room and nobody waits");
        require(
                maxDepth == UNKNOWN || position <= maxDepth,
                BACKPRESSURE,
                "position " + position + " in a queue that was full with " + maxDepth);
        queues = true;
        deepest = Math.max(deepest, position);
        earliestMs = Math.min(earliestMs, nowMs);
        waiting.put(request, nowMs);
        gaveWay = inFlight < cap; // requests removed for it may have been in the way
    }

    private void rejected(EventDetail detail, Owed due, boolean givesWay) throws Broken {
        String request = detail.text("request");
        String reason = detail.text("reason");
        switch (reason) {
            case "RB_ERR_NO_REMOTECAP" -> {} // shows nothing about the rest
            case FULL -> {
                // A member's request that waited for the cluster's answer is refused by that answer.
                if (!member || waiting.remove(request) == null) {
                    rejectedForBeingFull(due);
                }
            }
            case SATURATED -> saturated(request, due);
            case DRAINING -> {
                require(due == Owed.REFUSAL, SAFE_DRAIN, "the event before does not say that draining is active");
                comes(request);
            }
            case "RB_ERR_QUEUE_TIMEOUT" -> expired(request, givesWay);
            case "CANCELLED" -> leave(request);
            case "RB_ERR_NO_LEASE" -> {
                require(member, AUDITABLE, "a lease is asked for, and this is no member of a cluster");
                if (waiting.remove(request) == null) {
                    comes(request);
                }
            }
            default -> throw new Broken(AUDITABLE, "reason " + reason + " is none of the known ones");
        }
    }

    private void saturated(String request, Owed due) throws Broken {
        require(inFlight < cap || due == Owed.ANSWER, BACKPRESSURE, "full, and the event before does not say so");
        require(older != 0 || !waiting.isEmpty(), BACKPRESSURE, "the queue is full, and nobody waits");
        comes(request);
        requireNoDrain("an answer by the queue while draining");
        require(!rejects, BACKPRESSURE, "a full queue, and an earlier one was rejected without");
        queues = true;
        if (older != UNKNOWN) {
            int depth = older + waiting.size();
            require(
                    maxDepth == UNKNOWN || maxDepth == depth,
                    BACKPRESSURE,
                    "full with " + depth + ", and before with " + maxDepth);
            require(depth >= deepest, BACKPRESSURE, "full with " + depth + ", and before there were " + deepest);
            maxDepth = depth;
        }
    }

    private void rejectedForBeingFull(Owed due) throws Broken {
        require(due == Owed.ANSWER, BACKPRESSURE, "the event before does not say that it is full");
        require(drain != Drain.YES, SAFE_DRAIN, "rejected for being full while draining");
        require(
                !queues && waiting.isEmpty() && older <= 0,
                BACKPRESSURE,
                "rejected for being full, and an earlier one was queued");
        rejects = true;
    }

    /* Draining is checked before capacity and queue. But a member that queues does so while its slice moves. */
    private void requireNoDrain(String why) throws Broken {
        require((drain != Drain.YES || (member && !rejects)) && !closed, SAFE_DRAIN, why);
        if (drain == Drain.PERHAPS) {
            drain = member ? Drain.PERHAPS : Drain.NO;
        }
    }

    /* Expired requests go in the order of the queue: a request that is still ahead has not expired. */
    private void expired(String request, boolean givesWay) throws Broken {
        boolean alone = givesWay && older <= 0 && inFlight < cap && drain != Drain.YES && first().equals(request);
        evicting |= !alone;
        Long since = waiting.get(request);
        if (since != null) {
            long waitedMs = nowMs - since;
            require(waitedMs > 0, BACKPRESSURE, "request " + request + " expired after " + waitedMs + " ms");
            shortestExpired = Math.min(shortestExpired, waitedMs);
            requireOneTimeout("request " + request + " expired after " + waitedMs + " ms");
            if (nowMs - earliestMs > longestKept) {
                for (Map.Entry<String, Long> ahead : waiting.entrySet()) {
                    if (ahead.getKey().equals(request)) {
                        break;
                    }
                    keptAfter(nowMs - ahead.getValue(), ahead.getKey());
                }
            }
        }
        leave(request);
    }

    /* When the last expired request is removed, no request is left that has waited for too long. */
    private void endOfEviction(BulkheadEvent event, EventDetail detail) throws Broken {
        boolean goesOn = event.nowMs() == nowMs
                && detail.pairs().getOrDefault("reason", "").equals("RB_ERR_QUEUE_TIMEOUT");
        if (evicting && !goesOn) {
            evicting = false;
            nobodyExpired();
        }
    }

    private void leave(String request) throws Broken {
        gaveWay = older != 0 || first().equals(request);
        require(!rejects, BACKPRESSURE, "out of a queue, and an earlier one was rejected for being full");
        if (waiting.remove(request) == null) {
            require(older != 0, BACKPRESSURE, "request " + request + " does not wait");
            leaveUnseen();
        }
    }

    private void capChanged(EventDetail detail) throws Broken {
        int from = detail.count("from");
        int to = detail.count("to");
        require(from == cap, AUDITABLE, "the cap was " + cap + ", not " + from);
        require(from > 0 || member, CAPPED, "a cap of 0");
        require(to != from, AUDITABLE, "the cap is the same");
        gaveWay = !hasRoom();
        cap = to;
        drain = inFlight > cap && cap > 0 ? Drain.YES : Drain.NO; // a slice of 0 is only full
        if (drain == Drain.YES) {
            owed = Owed.DRAIN_EVENT;
        }
    }

    private void drainActive(EventDetail detail, Owed due, boolean first) throws Broken {
        int target = detail.count("target");
        boolean begins = target == 0 && !closed;
        if (target == 0) {
            require(
                    due != Owed.DRAIN_EVENT || closed || !complete,
                    SAFE_DRAIN,
                    "the target is 0, and nobody closes it");
            closed = true;
        } else {
            require(!closed, SAFE_DRAIN, "the target is " + target + " when closed");
            require(drain != Drain.NO, SAFE_DRAIN, "nothing drains");
            require(target == cap, SAFE_DRAIN, "the target is " + target + ", and the cap " + cap);
            drain = Drain.YES;
        }
        if (!complete && (first || begins)) {
            owed = Owed.PERHAPS_REFUSAL; // its cause may have come before the log begins
        } else if (due != Owed.DRAIN_EVENT && !begins) {
            owed = Owed.REFUSAL;
        }
    }

    private static void require(boolean holds, String invariant, String why) throws Broken {
        if (!holds) {
            throw new Broken(invariant, why);
        }
    }
}
