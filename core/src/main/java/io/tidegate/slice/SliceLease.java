package io.tidegate.slice;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a slice: what a bulkhead may do whose cap is a slice of a greater one, and what the keeper of the slice
 * must know of it. Knows the bulkhead by numbers only, and is guarded by its lock, but for what the keeper reads.
 */
public final class SliceLease {
    private static final String ENDED = "the lease has ended";

    /** How soon the keeper should look. */
    public enum Call {
        /** Nothing has happened. */
        NONE,
        /** Somebody found no room. */
        SOON,
        /** There is something to give back that others may wait for. */
        NOW
    }

    /**
     * A time without a break in which there was a lease, renewed however often.
     *
     * @param afterPermit the last permit before it: permits with a greater number were given in this term
     */
    public record Term(long afterPermit, long untilMs) {
        /** Whether what was admitted with this permit may start. */
        public boolean covers(long permitId, long nowMs) {
            return permitId > afterPermit && nowMs < untilMs;
        }
    }

    private final boolean strict;
    private final long leastRetryMs;
    private final Consumer<Call> keeper;
    private final CompletableFuture<Void> givenBack = new CompletableFuture<>();
    private volatile Call called = Call.NONE;
    private volatile Call told = Call.NONE; // how much of it the keeper knows
    private volatile Term term = new Term(0, 0);
    private volatile int cap;
    private volatile String whyNone = "the engine has not answered yet";
    private volatile @Nullable Throwable lastFailure;
    private int peak;
    private int turnedAway;

    /**
     * Of a slice that is not leased yet.
     *
     * @param strict whether each permit is taken for a request that asks, so that none is left over
     * @param leastRetryMs another try does no better before somebody has asked for more
     * @param keeper runs when it should look, with nothing held
     */
    public SliceLease(boolean strict, long leastRetryMs, Consumer<Call> keeper) {
        this.strict = strict;
        this.leastRetryMs = leastRetryMs;
        this.keeper = keeper;
    }

    // What it allows

    /** Nobody is admitted without. */
    public boolean isLeased(long nowMs) {
        return nowMs < term.untilMs;
    }

    /** The present one, or the last. Ask for the time afterwards: a thread that stops in between finds it over. */
    public Term term() {
        return term;
    }

    /** For how long the lease goes on; 0 when it has ended. */
    public long leftMs(long nowMs) {
        return Math.max(0, term.untilMs - nowMs);
    }

    /**
     * What stays of the slice when all are admitted that can be: a permit taken for one request is not for the next
     * one.
     */
    public int kept(int slice, int inFlight) {
        return strict ? Math.min(slice, inFlight) : slice;
    }

    /** How long another try should wait at least. */
    public long leastRetryMs() {
        return leastRetryMs;
    }

    /**
     * Others may have had the slice in a break, and the engine knows nothing of permits from before it that have not
     * started: so they never do.
     */
    public void renew(long untilMs, long nowMs, long lastPermit) {
        term = new Term(isLeased(nowMs) ? term.afterPermit : lastPermit, untilMs);
    }

    // What is counted for the keeper

    /** Somebody was admitted, waits, or was turned away. */
    public void count(int slice, int inFlight, int waiting, int refused) {
        peak = Math.max(peak, inFlight + waiting);
        turnedAway += refused;
        boolean wantsMore = strict ? waiting > 0 : slice < cap;
        if (inFlight >= slice && wantsMore) {
            call(Call.SOON);
        }
    }

    /** Somebody found no lease. */
    public void missed() {
        call(Call.SOON);
    }

    /** A permit came back, to a bulkhead that admits newcomers or not. */
    public void returned(boolean closed) {
        if (strict || closed) {
            call(Call.NOW);
        }
    }

    /** What was counted, and how the bulkhead stands; counting begins anew. */
    public Demand take(int slice, int inFlight, int waiting, long arrivals, boolean closed) {
        Demand demand = new Demand(slice, inFlight, waiting, arrivals, closed, peak, turnedAway);
        peak = inFlight + waiting;
        turnedAway = 0;
        called = Call.NONE;
        told = Call.NONE;
        return demand;
    }

    private void call(Call call) {
        if (called.compareTo(call) < 0) {
            called = call;
        }
    }

    /** How the keeper was called since it last took what was counted. */
    public Call called() {
        return called;
    }

    /** Whoever comes next tells it again: a scheduler or a ticker of the user's has thrown. */
    public void keeperFailed() {
        told = Call.NONE;
        call(Call.SOON);
    }

    /**
     * Calls the keeper, if there is something that it does not know. With nothing held. Two that do so at once do no
     * harm; that one is forgotten because another was told is seen after the next claim.
     */
    public void tellKeeper() {
        Call call = called;
        if (told.compareTo(call) < 0) {
            told = call;
            try {
                keeper.accept(call);
            } catch (Throwable broken) {
                keeperFailed(); // that is nothing to whoever happens to tell it
            }
        }
    }

    // What the keeper has heard

    /** The cap of all, as last heard; 0 before. */
    public int cap() {
        return cap;
    }

    /** The engine has answered. */
    public void heard(int newCap) {
        cap = newCap;
        whyNone = ENDED;
        lastFailure = null;
    }

    /** The engine could not be asked. */
    public void failed(Throwable failure) {
        whyNone = failure.toString();
        lastFailure = failure;
    }

    /** What to say for want of a lease. */
    public String whyNone() {
        return whyNone;
    }

    /** Why the engine could not be asked, if that was so when it was last tried. */
    public @Nullable Throwable lastFailure() {
        return lastFailure;
    }

    /** Ends when the engine has all of the slice back, or the lease has ended, for good. */
    public CompletionStage<Void> givenBack() {
        return givenBack;
    }

    /** That is so now. */
    public void giveBack() {
        givenBack.complete(null);
    }
}
