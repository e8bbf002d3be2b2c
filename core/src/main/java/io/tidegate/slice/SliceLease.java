package io.tidegate.slice;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a slice, for a bulkhead whose cap is a slice of a larger cap: what the bulkhead may do, and what the
 * keeper of the slice must know about the bulkhead. The bulkhead's lock guards everything except what the keeper reads.
 */
public final class SliceLease {
    private static final String ENDED = "the lease has ended";

    /** How soon the keeper should claim. */
    public enum Urgency {
        /** Nothing has happened. */
        NONE,
        /** A request found no permit. */
        SOON,
        /** There are permits to give back, and others may wait for them. */
        NOW
    }

    /**
     * A span of time without a break in the lease, however often the lease was renewed.
     *
     * @param afterPermit the last permit before the term: permits with a greater number were given in it
     */
    public record Term(long afterPermit, long untilMs) {
        /** Returns whether a request that was admitted with this permit may start. */
        public boolean covers(long permitId, long nowMs) {
            return permitId > afterPermit && nowMs < untilMs;
        }
    }

    private final boolean strict;
    private final long leastRetryMs;
    private final Consumer<Urgency> keeper;
    private final CompletableFuture<Void> givenBack = new CompletableFuture<>();
    private volatile Urgency called = Urgency.NONE;
    private volatile Urgency passedOn = Urgency.NONE; // how much of `called` the keeper knows
    private volatile Term term = new Term(0, 0);
    private volatile int cap;
    private volatile String whyNone = "the engine has not answered yet";
    private volatile @Nullable Throwable lastFailure;
    private int peak;
    private int turnedAway;

    /**
     * Makes the lease of a slice that is not leased yet.
     *
     * @param strict whether each permit is claimed for one request, so that no permit is left over
     * @param leastRetryMs a retry cannot succeed before this time, because a claim must come first
     * @param keeper called with no lock held when the keeper should claim
     */
    public SliceLease(boolean strict, long leastRetryMs, Consumer<Urgency> keeper) {
        this.strict = strict;
        this.leastRetryMs = leastRetryMs;
        this.keeper = keeper;
    }

    // What it allows

    /** Returns whether there is a lease; without one no request is admitted. */
    public boolean isLeased(long nowMs) {
        return nowMs < term.untilMs;
    }

    /**
     * Returns the present term, or the last one. A caller must read the time after the term: if its thread stops in
     * between, it then finds the term over.
     */
    public Term term() {
        return term;
    }

    /** Returns how much time of the lease is left; 0 when it has ended. */
    public long leftMs(long nowMs) {
        return Math.max(0, term.untilMs - nowMs);
    }

    /**
     * Returns how much of the slice stays when all possible requests have been admitted: with strict permits, only what
     * is in flight, because a permit claimed for one request does not serve another.
     */
    public int kept(int slice, int inFlight) {
        return strict ? Math.min(slice, inFlight) : slice;
    }

    /** Returns the least time after which a retry may succeed. */
    public long leastRetryMs() {
        return leastRetryMs;
    }

    /**
     * Prolongs the lease, or begins another one after a break. In the break other processes may have had the slice. So
     * requests that were admitted before the break and have not started must not start any more.
     */
    public void renew(long untilMs, long nowMs, long lastPermit) {
        term = new Term(isLeased(nowMs) ? term.afterPermit : lastPermit, untilMs);
    }

    // What the keeper must know

    /** Notes that a request was admitted, waits, or was refused. */
    public void count(int slice, int inFlight, int waiting, int refused) {
        peak = Math.max(peak, inFlight + waiting);
        turnedAway += refused;
        boolean wantsMore = strict ? waiting > 0 : slice < cap;
        if (inFlight >= slice && wantsMore) {
            call(Urgency.SOON);
        }
    }

    /** Notes that a request found no lease. */
    public void missed() {
        call(Urgency.SOON);
    }

    /** Notes that a permit came back. */
    public void returned(boolean closed) {
        if (strict || closed) {
            call(Urgency.NOW);
        }
    }

    /** Returns what was counted, with the bulkhead's present figures; counting starts over. */
    public Demand take(int slice, int inFlight, int waiting, long arrivals, boolean closed) {
        Demand demand = new Demand(slice, inFlight, waiting, arrivals, closed, peak, turnedAway);
        peak = inFlight + waiting;
        turnedAway = 0;
        called = Urgency.NONE;
        passedOn = Urgency.NONE;
        return demand;
    }

    private void call(Urgency urgency) {
        if (called.compareTo(urgency) < 0) {
            called = urgency;
        }
    }

    /** Returns how urgently the keeper was called since it last took the demand. */
    public Urgency called() {
        return called;
    }

    /** Called when the user's scheduler or ticker has thrown, so that the next thread calls the keeper again. */
    public void keeperFailed() {
        passedOn = Urgency.NONE;
        call(Urgency.SOON);
    }

    /**
     * Calls the keeper, with no lock held, if something has happened that it does not know. Two concurrent calls do no
     * harm; if one call is missed because of the other, the next claim finds what has happened.
     */
    public void tellKeeper() {
        Urgency urgency = called;
        if (passedOn.compareTo(urgency) < 0) {
            passedOn = urgency;
            try {
                keeper.accept(urgency);
            } catch (Throwable broken) {
                keeperFailed(); // the exception must not reach the thread that happens to call the keeper
            }
        }
    }

    // What the engine has answered

    /** Returns the cap of all processes, by the engine's last answer; 0 before the first answer. */
    public int cap() {
        return cap;
    }

    /** Notes that the engine has answered with this cap. */
    public void heard(int newCap) {
        cap = newCap;
        whyNone = ENDED;
        lastFailure = null;
    }

    /** Notes that a claim failed. */
    public void failed(Throwable failure) {
        whyNone = failure.toString();
        lastFailure = failure;
    }

    /** Returns why there is no lease, for a refusal. */
    public String whyNone() {
        return whyNone;
    }

    /** Returns why the last claim failed; null if it did not. */
    public @Nullable Throwable lastFailure() {
        return lastFailure;
    }

    /** Completes when the engine has the whole slice back, or the lease has ended and no other follows. */
    public CompletionStage<Void> givenBack() {
        return givenBack;
    }

    /** Completes {@link #givenBack}. */
    public void giveBack() {
        givenBack.complete(null);
    }
}
