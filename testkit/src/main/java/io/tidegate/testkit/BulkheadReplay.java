package io.tidegate.testkit;

import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import java.io.Serial;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A bulkhead's state, rebuilt event by event. */
final class BulkheadReplay {
    /*
     * From its beginning a log says everything. One that lost its beginning says the counts with its first event; permits
     * taken before are known by their return only; and how many of the requests that wait came before is known once somebody
     * queues, as that event has a position. Until then `older` is UNKNOWN. Whether the cap is being drained is open as long
     * as the counts alone do not tell: exactly at the cap it may be or not.
     */
    private static final int UNKNOWN = -1;
    private static final String CAPPED = "INV-RB-CAPPED";
    private static final String BACKPRESSURE = "INV-RB-BACKPRESSURE";
    private static final String SAFE_DRAIN = "INV-RB-SAFE-DRAIN";
    private static final String GATED = "INV-RB-GATED";
    private static final String AUDITABLE = "INV-RB-AUDITABLE";

    private enum Drain {
        NO,
        PERHAPS,
        YES
    }

    private final boolean complete;
    private boolean begun;
    private int inFlight;
    private int cap;
    private Drain drain = Drain.NO;
    private boolean closing;
    private boolean drainMustBeTold;
    private @Nullable String atCapacity; // the request that was told so by the event before
    private boolean drainJustTold;
    private boolean drainWasOwed;
    private boolean refusalMustFollow;
    private boolean first = true;
    private boolean rejects;
    private int maxDepth = UNKNOWN;
    private final Set<Long> back = new HashSet<>();
    private long firstPermit = Long.MAX_VALUE; // in this log
    private long highestBack;
    private long lastPermit = UNKNOWN;
    private final Set<Long> out = new HashSet<>();
    private final Set<String> waiting = new LinkedHashSet<>();
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

    /** Starts before the first event of all, or somewhere later. */
    BulkheadReplay(boolean complete) {
        this.complete = complete;
        this.older = complete ? 0 : UNKNOWN;
    }

    void play(BulkheadEvent event) throws Broken {
        EventDetail detail = EventDetail.of(event.detail());
        if (!begun) {
            begin(event, detail);
        }
        followUp(event, detail);
        boolean mayBeOwed = first && !complete;
        first = false;
        String wasAtCapacity = atCapacity;
        boolean drainWasTold = drainJustTold;
        atCapacity = null;
        drainJustTold = false;
        switch (event.eventCode()) {
            case RB_PERMIT_ACQUIRED -> acquired(detail);
            case RB_PERMIT_RELEASED -> released(detail);
            case RB_AT_CAPACITY -> atCapacity(detail);
            case RB_REQUEST_QUEUED -> queued(detail, wasAtCapacity);
            case RB_REQUEST_REJECTED -> rejected(detail, wasAtCapacity, drainWasTold);
            case RB_CAP_CHANGED -> capChanged(detail);
            case RB_DRAIN_ACTIVE -> drainActive(detail, mayBeOwed);
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
    }

    /* What the counts were before the first event. */
    private void begin(BulkheadEvent event, EventDetail detail) {
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
        } else {
            drain = inFlight < cap ? Drain.NO : inFlight > cap ? Drain.YES : Drain.PERHAPS;
            assumeEventBefore(event, detail);
        }
    }

    /* The one that must have come right before was dropped. */
    private void assumeEventBefore(BulkheadEvent event, EventDetail detail) {
        String reason = event.eventCode() == BulkheadEventCode.RB_REQUEST_REJECTED ? detail.text("reason") : "";
        drainJustTold = reason.equals("RB_ERR_DRAINING");
        boolean byCapacity = event.eventCode() == BulkheadEventCode.RB_REQUEST_QUEUED
                || reason.equals("RB_ERR_AT_CAPACITY")
                || reason.equals("RB_ERR_QUEUE_SATURATED");
        atCapacity = byCapacity && inFlight >= cap ? detail.text("request") : null;
    }

    /* Some events must come right after another one. */
    private void followUp(BulkheadEvent event, EventDetail detail) throws Broken {
        BulkheadEventCode code = event.eventCode();
        if (refusalMustFollow) {
            refusalMustFollow = false;
            require(
                    code == BulkheadEventCode.RB_REQUEST_REJECTED
                            && detail.text("reason").equals("RB_ERR_DRAINING"),
                    BACKPRESSURE,
                    "draining was told to a request that was not rejected");
        }
        drainWasOwed = drainMustBeTold;
        if (drainMustBeTold) {
            drainMustBeTold = false;
            require(
                    code == BulkheadEventCode.RB_DRAIN_ACTIVE,
                    SAFE_DRAIN,
                    "draining goes on, and the event after does not say so");
        }
        if (atCapacity != null) {
            boolean answered =
                    code == BulkheadEventCode.RB_REQUEST_QUEUED || code == BulkheadEventCode.RB_REQUEST_REJECTED;
            require(
                    answered && detail.text("request").equals(atCapacity),
                    BACKPRESSURE,
                    "request " + atCapacity + " found the bulkhead full and was neither queued nor rejected");
        }
    }

    private void acquired(EventDetail detail) throws Broken {
        String request = detail.text("request");
        long permit = detail.number("permit");
        require(drain != Drain.YES, SAFE_DRAIN, "a permit while draining");
        drain = Drain.NO;
        require(inFlight < cap, CAPPED, "a permit with " + inFlight + " of " + cap + " in flight");
        require(
                lastPermit == UNKNOWN || permit == lastPermit + 1,
                AUDITABLE,
                "permit " + permit + " after permit " + lastPermit);
        require(permit > highestBack, AUDITABLE, "permit " + permit + " after the return of permit " + highestBack);
        takeTurn(request);
        firstPermit = Math.min(firstPermit, permit);
        lastPermit = permit;
        out.add(permit);
        inFlight++;
    }

    private void takeTurn(String request) throws Broken {
        if (older == 0 && waiting.isEmpty()) {
            require(!closing, SAFE_DRAIN, "a newcomer while closing");
        } else if (waiting.contains(request)) {
            require(older <= 0, BACKPRESSURE, older + " that wait for longer were passed over");
            require(
                    waiting.iterator().next().equals(request),
                    BACKPRESSURE,
                    "it is the turn of request " + waiting.iterator().next());
            waiting.remove(request);
            older = 0;
        } else {
            require(older != 0, BACKPRESSURE, "a newcomer before request " + first());
            leaveUnseen();
        }
    }

    private String first() {
        return waiting.isEmpty() ? "that waits" : waiting.iterator().next();
    }

    /* One of those that began to wait before the log begins. */
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
        require(inFlight > 0, CAPPED, "a return with nothing in flight");
        inFlight--;
        if (inFlight < cap) {
            drain = Drain.NO;
        }
        drainMustBeTold = drain == Drain.YES;
    }

    private void atCapacity(EventDetail detail) throws Broken {
        require(inFlight >= cap, BACKPRESSURE, "not full: " + inFlight + " of " + cap + " in flight");
        requireNoDrain("an answer by capacity while draining");
        atCapacity = detail.text("request");
        require(!waiting.contains(atCapacity), BACKPRESSURE, "request " + atCapacity + " waits already");
    }

    private void queued(EventDetail detail, @Nullable String wasAtCapacity) throws Broken {
        String request = detail.text("request");
        int position = detail.count("position");
        requireNoDrain("queued while draining");
        require(!rejects, BACKPRESSURE, "queued, and an earlier one was rejected for being full");
        require(inFlight < cap || wasAtCapacity != null, BACKPRESSURE, "full, and the event before does not say so");
        require(!waiting.contains(request), BACKPRESSURE, "request " + request + " waits twice");
        if (older == UNKNOWN) {
            older = position - 1 - waiting.size();
        }
        require(
                position == older + waiting.size() + 1,
                BACKPRESSURE,
                "position " + position + " behind " + (older + waiting.size()) + " others");
        require(inFlight >= cap || position > 1, BACKPRESSURE, "queued though there is room and nobody waits");
        require(
                maxDepth == UNKNOWN || position <= maxDepth,
                BACKPRESSURE,
                "position " + position + " in a queue that was full with " + maxDepth);
        waiting.add(request);
    }

    private void rejected(EventDetail detail, @Nullable String wasAtCapacity, boolean drainWasTold) throws Broken {
        String request = detail.text("request");
        String reason = detail.text("reason");
        switch (reason) {
            case "RB_ERR_NO_REMOTECAP" ->
                require(wasAtCapacity == null, GATED, "capacity was looked at before the capability");
            case "RB_ERR_AT_CAPACITY" -> {
                if (!waiting.remove(request)) { // who waited for the cluster's answer is refused by it
                    rejectedForBeingFull(wasAtCapacity);
                }
            }
            case "RB_ERR_QUEUE_SATURATED" -> saturated(wasAtCapacity);
            case "RB_ERR_DRAINING" ->
                require(drainWasTold, SAFE_DRAIN, "the event before does not say that draining is active");
            case "RB_ERR_QUEUE_TIMEOUT", "CANCELLED" -> leave(request);
            case "RB_ERR_NO_LEASE" -> waiting.remove(request);
            default -> throw new Broken(AUDITABLE, "reason " + reason + " is none of the known ones");
        }
    }

    private void saturated(@Nullable String wasAtCapacity) throws Broken {
        require(inFlight < cap || wasAtCapacity != null, BACKPRESSURE, "full, and the event before does not say so");
        require(older != 0 || !waiting.isEmpty(), BACKPRESSURE, "the queue is full, and nobody waits");
        requireNoDrain("an answer by the queue while draining");
        require(!rejects, BACKPRESSURE, "a full queue, and an earlier one was rejected without");
        if (older != UNKNOWN) {
            int depth = older + waiting.size();
            require(
                    maxDepth == UNKNOWN || maxDepth == depth,
                    BACKPRESSURE,
                    "full with " + depth + ", and before with " + maxDepth);
            maxDepth = depth;
        }
    }

    private void rejectedForBeingFull(@Nullable String wasAtCapacity) throws Broken {
        require(wasAtCapacity != null, BACKPRESSURE, "the event before does not say that it is full");
        require(
                waiting.isEmpty() && older <= 0 && maxDepth == UNKNOWN,
                BACKPRESSURE,
                "rejected for being full, and an earlier one was queued");
        rejects = true;
    }

    /* Draining is looked at before capacity and queue. */
    private void requireNoDrain(String why) throws Broken {
        require(drain != Drain.YES && !closing, SAFE_DRAIN, why);
        drain = Drain.NO;
    }

    private void leave(String request) throws Broken {
        if (!waiting.remove(request)) {
            require(older != 0, BACKPRESSURE, "request " + request + " does not wait");
            leaveUnseen();
        }
    }

    private void capChanged(EventDetail detail) throws Broken {
        int from = detail.count("from");
        int to = detail.count("to");
        require(from == cap, AUDITABLE, "the cap was " + cap + ", not " + from);
        require(to != from, AUDITABLE, "the cap is the same");
        cap = to;
        drain = inFlight > cap && cap > 0 ? Drain.YES : Drain.NO; // a slice of 0 is only full
        drainMustBeTold = drain == Drain.YES;
    }

    private void drainActive(EventDetail detail, boolean mayBeOwed) throws Broken {
        int target = detail.count("target");
        boolean begins = target == 0 && !closing;
        if (target == 0) {
            closing = true;
        } else {
            require(!closing, SAFE_DRAIN, "the target is " + target + " while closing");
            require(drain != Drain.NO, SAFE_DRAIN, "nothing drains");
            require(target == cap, SAFE_DRAIN, "the target is " + target + ", and the cap " + cap);
            drain = Drain.YES;
        }
        drainJustTold = true;
        // A log that lost its beginning may have begun to close before it.
        refusalMustFollow = !drainWasOwed && !mayBeOwed && !begins;
    }

    private static void require(boolean holds, String invariant, String why) throws Broken {
        if (!holds) {
            throw new Broken(invariant, why);
        }
    }
}
