package io.tidegate.cluster;

import io.tidegate.Reading;
import io.tidegate.gate.OwnPart;
import io.tidegate.measure.Times;
import io.tidegate.remote.BackpressurePolicy;
import io.tidegate.remote.BulkheadError;
import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.DrainReport;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.slice.Demand;
import io.tidegate.slice.SliceLease;
import io.tidegate.slice.Sliceable;
import io.tidegate.slice.SlicedBulkhead;
import io.tidegate.stage.PendingNotifications;
import io.tidegate.stage.Stages;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This process as a member of the cluster: a bulkhead whose cap is a slice of the cluster's cap, and the keeper of that
 * slice.
 */
final class ClusterMember implements ClusterBulkhead, OwnPart {
    /*
     * The bulkhead is a remote bulkhead whose own cap follows the slice. Three things keep the sum of the slices within
     * the cluster's cap:
     *
     *   - A claim reports the bulkhead's cap, or what is in flight if that is more, and the engine sets that much aside
     *     until the lease ends. Only an answer of the engine raises the bulkhead's cap, and the cap is lowered before
     *     the claim that reports it. So it is never above what is set aside.
     *   - The lease counts from before the claim was sent, and is shortened by the amount by which clocks may run at
     *     different speeds. So it ends here before it ends at the engine. The bulkhead checks it under its lock with
     *     each admission, and the client once more before the operation starts, because the process may have been
     *     stopped in between.
     *   - Claims are numbered and run one at a time. The engine recognises a claim that arrives late or twice.
     *
     * After a lost answer the engine sets more aside than is used here, until the next claim.
     *
     * A member leaves when the bulkhead reports, in one step, that it is closed and that nothing is left.
     *
     * ClaimPace decides when claims are due. `dueMs` is when the next claim is due, and `plan` is the number of the
     * scheduled task that makes it; other tasks do nothing.
     *
     * With `strict` the bulkhead's cap is what is in flight. Each request waits in the queue, and a claim asks for one
     * more permit for each. If a request has gone when the answer comes, its permit goes back in the next claim,
     * without a pause.
     */
    private static final int PACE_DIFFERS_BY = 50; // one part in so many, far more than clocks really differ
    private static final int FADINGS_PER_LEASE = 3;
    private static final int NEED_FADES_BY = 4; // each time by one part in so many
    private static final int FADINGS_WHEN_LACKING = 10;
    private static final int NEED_FADES_WHEN_LACKING_BY = 2;
    private static final int MOST_UNDECIDED = 10_000;
    private static final int NO_ANSWER = 0;
    private static final long NEVER = Long.MAX_VALUE;

    private final CapStore store;
    private final String name;
    private final String owner;
    private final int configuredCap;
    private final long leaseMs;
    private final boolean strict;
    private final boolean rejects;
    private final ScheduledExecutorService scheduler;
    private final LongSupplier clock;
    private final SliceLease lease;
    private final RemoteBulkhead bulkhead;
    private final SlicedBulkhead sliced; // the same object
    private final RemoteBulkheadClient client;
    private final ClaimPace pace;
    private final Listener listener;
    private final Times claims;
    private final AtomicLong errors = new AtomicLong();

    // Used only by the thread that is claiming
    private long number;
    private int need;
    private boolean othersLack;
    private int wantedLately;
    private long fadedMs;
    private long countedMs;
    private long failuresInRow;

    private volatile long failedClaims;
    private volatile long claimedMs;

    // Guarded by this object's lock
    private boolean claiming;
    private boolean again;
    private boolean left;
    private long dueMs = NEVER;
    private long plan;

    ClusterMember(ClusterBuilder settings) {
        store = settings.store;
        name = settings.name;
        owner = ProcessHandle.current().pid() + "-" + UUID.randomUUID();
        configuredCap = settings.configuredCap;
        leaseMs = settings.leaseMs;
        strict = settings.strict;
        rejects = settings.policy instanceof BackpressurePolicy.Reject;
        scheduler = settings.scheduler;
        clock = millisOf(settings.ticker);
        pace = new ClaimPace(leaseMs, settings.random);
        lease = new SliceLease(strict, pace.quickMs, this::claimWhenCalled);
        listener = settings.listener;
        claims = new Times(settings.ticker);
        ((Sliceable) settings.bulkhead).slice(lease);
        bulkhead = settings.bulkhead
                .name(name)
                .policy(strict && rejects ? BackpressurePolicy.queue(MOST_UNDECIDED, leaseMs) : settings.policy)
                .build();
        sliced = (SlicedBulkhead) bulkhead;
        RemoteBulkheadClient.Builder builder = RemoteBulkheadClient.builder(bulkhead)
                .permitLifetime(settings.lifetime)
                .executor(settings.executor)
                .scheduler(scheduler)
                .clock(clock);
        client = (settings.watch == null ? builder : builder.watch(settings.watch)).build();
    }

    private static LongSupplier millisOf(LongSupplier ticker) {
        long startMs = Math.max(0, System.currentTimeMillis());
        long start = ticker.getAsLong();
        return () -> startMs + TimeUnit.NANOSECONDS.toMillis(ticker.getAsLong() - start);
    }

    // For users

    @Override
    public String name() {
        return name;
    }

    @Override
    public RemoteCapability takeCapability() {
        return client.takeCapability();
    }

    @Override
    public <T> CompletionStage<T> submit(
            @Nullable RemoteCapability capability, String requestId, Supplier<? extends CompletionStage<T>> operation) {
        return client.submit(capability, requestId, operation);
    }

    @Override
    public void setMaxInFlight(int newCap) {
        if (newCap < 1) {
            throw new BulkheadException(new BulkheadError.InvalidConfig("newCap: " + newCap + " (expected: >= 1)"));
        }
        store.setCap(name, newCap);
        claimWithin(0);
    }

    @Override
    public CompletionStage<DrainReport> drain(Duration limit) {
        CompletionStage<DrainReport> report = client.drain(limit);
        claimWithin(0);
        return report;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    public void close() {
        client.drain(Duration.ZERO);
        claimNow();
    }

    @Override
    public Standing standing() {
        long leftMs = lease.leftMs(clock.getAsLong());
        int slice = leftMs > 0 ? bulkhead.maxInFlight() : 0;
        return new Standing(
                lease.cap(),
                configuredCap,
                slice,
                bulkhead.inFlight(),
                bulkhead.queueDepth(),
                leftMs,
                failedClaims,
                Optional.ofNullable(lease.lastFailure()));
    }

    @Override
    public void read(Reading to) {
        client.read(to);
        Standing standing = standing();
        to.gauge("cap", standing.cap());
        to.gauge("lease.left", standing.leaseLeftMs() / 1000.0);
        to.gauge("failed.claims", (double) standing.failedClaims());
        claims.read(to, "claims");
        to.count("errors", errors.get());
    }

    @Override
    public List<BulkheadEvent> events() {
        return bulkhead.events();
    }

    @Override
    public long droppedEvents() {
        return bulkhead.droppedEvents();
    }

    @Override
    public OptionalLong p99ForegroundLatencyMs() {
        return bulkhead.p99ForegroundLatencyMs();
    }

    @Override
    public boolean latencyWithinTarget() {
        return bulkhead.latencyWithinTarget();
    }

    @Override
    public String toString() {
        return "ClusterBulkhead(" + name + ", " + bulkhead + ")";
    }

    // When to claim

    /** Claims on this thread, unless another thread is claiming. */
    void claimNow() {
        synchronized (this) {
            if (left || claiming) {
                again = true;
                return;
            }
            begin();
        }
        claimAndPlan();
    }

    private void claimWhenCalled(SliceLease.Urgency urgency) {
        switch (urgency) {
            case NONE -> {}
            case SOON -> claimWithin(Math.max(0, claimedMs + pace.betweenMs() - clock.getAsLong()));
            case NOW -> claimWithin(0);
        }
    }

    private void claimWithin(long delayMs) {
        long mine;
        long atMs = clock.getAsLong() + delayMs;
        synchronized (this) {
            if (left || claiming || dueMs <= atMs) {
                again |= claiming && delayMs == 0;
                return;
            }
            dueMs = atMs;
            mine = ++plan;
        }
        schedule(() -> claimIfStillPlanned(mine), delayMs);
    }

    private void claimIfStillPlanned(long planned) {
        synchronized (this) {
            if (left || claiming || planned != plan) {
                return;
            }
            begin();
        }
        claimAndPlan();
    }

    private void begin() {
        claiming = true;
        again = false;
        dueMs = NEVER;
        plan++;
    }

    /* Listeners are called once the next claim is planned, because their code may take long. */
    private void claimAndPlan() {
        PendingNotifications told = new PendingNotifications();
        long delayMs = pace.quickMs;
        try {
            delayMs = claim(told);
        } finally {
            planNext(delayMs);
            sliced.tell(told);
        }
        if (delayMs == NEVER) {
            lease.giveBack();
        }
    }

    private void planNext(long delayMs) {
        boolean atOnce;
        synchronized (this) {
            claiming = false;
            left = delayMs == NEVER;
            atOnce = again;
        }
        claimWithin(atOnce ? 0 : pace.spread(delayMs));
        claimWhenCalled(lease.called());
    }

    /* If the scheduler refuses, the lease ends after a while, and from then on no request is admitted. */
    @SuppressWarnings("FutureReturnValueIgnored") // nothing waits for it
    private void schedule(Runnable task, long delayMs) {
        try {
            scheduler.schedule(task, delayMs, TimeUnit.MILLISECONDS);
        } catch (Throwable refused) {
            synchronized (this) {
                dueMs = NEVER;
            }
            lease.keeperFailed();
        }
    }

    // Claims

    /** Claims, and returns in how many milliseconds the next claim is due. */
    private long claim(PendingNotifications told) {
        long sentMs = clock.getAsLong();
        claimedMs = sentMs;
        Demand demand = sliced.demand();
        try {
            if (demand.isOver()) {
                return leave(sentMs, told);
            }
            CapStore.Share share = claimed(toClaim(demand, sentMs));
            failuresInRow = 0;
            failedClaims = 0;
            if (share.cap() != lease.cap() && share.cap() != configuredCap) {
                tell(() -> listener.capDiffers(configuredCap, share.cap()), told);
            }
            lease.heard(share.cap());
            return follow(share, demand, sentMs, told);
        } catch (Throwable failed) {
            Stages.keepInterrupt(failed);
            failedClaims = ++failuresInRow;
            errors.getAndIncrement();
            lease.failed(failed);
            tell(() -> listener.claimFailed(failed), told);
            turnAwayUndecided(demand, NO_ANSWER, told);
            boolean nothingToGive = demand.isOver() && !lease.isLeased(sentMs);
            return nothingToGive ? NEVER : pace.failed();
        }
    }

    private CapStore.Share claimed(CapStore.Claim claim) {
        long stamp = claims.begin();
        try {
            return store.claim(claim);
        } finally {
            claims.end(stamp);
        }
    }

    private static void tell(Runnable news, PendingNotifications told) {
        told.ends().add(() -> {
            try {
                news.run();
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        });
    }

    /* The bulkhead is closed and empty, so the permits that go back cannot be in use. */
    private long leave(long nowMs, PendingNotifications told) {
        told.add(sliced.resize(0, nowMs));
        store.leave(name, owner);
        return NEVER;
    }

    private CapStore.Claim toClaim(Demand demand, long nowMs) {
        boolean exact = strict || demand.closed();
        need = exact ? demand.inFlight() + demand.waiting() : smoothed(demand, nowMs);
        return new CapStore.Claim(
                name, owner, ++number, configuredCap, demand.slice(), demand.inFlight(), need, exact, leaseMs);
    }

    /**
     * Returns the most permits that were wanted lately. A request that is turned away and tries again counts each time.
     * So requests that were turned away count, together, for no more than all others or half of the cap: a member does
     * not keep asking for permits that it does not use. The value rises without delay and fades slowly, so that slices
     * do not come and go. If other members lack permits, it fades within half of a lease, because they would otherwise
     * wait for unused permits.
     */
    private int smoothed(Demand demand, long nowMs) {
        int mostTurnedAway = Math.max(1, Math.max(demand.peak(), lease.cap() / 2));
        int wanted = demand.peak() + Math.min(turnedAwayPerLook(demand, nowMs), mostTurnedAway);
        wantedLately = Math.max(wantedLately, wanted);
        long fadings = (nowMs - fadedMs) / (leaseMs / (othersLack ? FADINGS_WHEN_LACKING : FADINGS_PER_LEASE));
        if (fadings == 0) {
            return Math.max(need, wanted);
        }
        int faded = need;
        int by = othersLack ? NEED_FADES_WHEN_LACKING_BY : NEED_FADES_BY;
        for (long i = 0; i < fadings && faded > wantedLately; i++) {
            faded -= (faded + by - 1) / by;
        }
        faded = Math.max(faded, wantedLately);
        fadedMs = nowMs;
        wantedLately = fadings > 1 ? 0 : wanted; // after several fadings, what was wanted is long ago
        return faded;
    }

    /* A member that looks less often must not seem to turn more requests away. */
    private int turnedAwayPerLook(Demand demand, long nowMs) {
        long sinceMs = Math.max(pace.leastLookMs, nowMs - countedMs);
        countedMs = nowMs;
        return (int) ((demand.turnedAway() * pace.leastLookMs + sinceMs - 1) / sinceMs);
    }

    private long follow(CapStore.Share share, Demand demand, long sentMs, PendingNotifications told) {
        int slice = Math.min(share.granted(), share.goal());
        long nowMs = clock.getAsLong();
        claimedMs = nowMs;
        told.add(sliced.renew(slice, sentMs + leaseMs - leaseMs / PACE_DIFFERS_BY, nowMs));
        turnAwayUndecided(demand, share.cap(), told);
        return strict ? afterStrict(share, demand.slice()) : afterSliced(share, slice, demand.slice());
    }

    private long afterSliced(CapStore.Share share, int slice, int before) {
        othersLack = share.goal() <= need; // if none lacked permits, the goal would have some head-room
        long lookMs = pace.look(slice, share.cap());
        boolean gained = share.granted() > before || share.granted() > need;
        long askAgainMs = gained ? pace.quick() : pace.slower();
        if (share.granted() > slice && bulkhead.inFlight() <= slice && before > slice) {
            return 0; // others wait for the rest of the slice
        }
        if (share.granted() > slice || bulkhead.inFlight() > slice) {
            return pace.quickMs; // there is something to report, now and when operations have ended
        }
        return need > slice && slice < share.cap() ? askAgainMs : lookMs;
    }

    private long afterStrict(CapStore.Share share, int before) {
        if (share.granted() <= need && bulkhead.maxInFlight() < share.granted()) {
            return 0; // the request for the permit has gone, and other members wait for it
        }
        if (need <= share.granted()) {
            return pace.satisfied();
        }
        if (rejects) {
            pace.satisfied();
            return 0; // the requests were turned away and need no permit any more
        }
        boolean othersWait = share.waitMillis() > 0;
        if (othersWait && share.granted() > 0) {
            return pace.inTurn();
        }
        return pace.inLine(share.granted() > before, sliced.holdMs(), share.waitMillis());
    }

    /* With strict permits and the reject policy, requests wait for one answer. */
    private void turnAwayUndecided(Demand asked, int cap, PendingNotifications told) {
        if (strict && rejects) {
            told.add(sliced.turnAway(asked, cap, clock.getAsLong()));
        }
    }
}
