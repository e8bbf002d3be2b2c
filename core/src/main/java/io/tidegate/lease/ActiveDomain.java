package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.AcquireResult.AlreadyAcquired;
import io.tidegate.lease.AcquireResult.AlreadyFailed;
import io.tidegate.lease.AcquireResult.AlreadyProcessed;
import io.tidegate.lease.AcquireResult.Enqueued;
import io.tidegate.lease.AcquireResult.HeldElsewhere;
import io.tidegate.lease.SucceedResult.NextHint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A domain that a runner works on: asks the lease, and knows what to do next. Callers of a method hold the domain's
 * lock, unless the method says otherwise.
 */
final class ActiveDomain {
    /*
     * A domain is active from when a thread finds work in it until no work is left. While it is active, it has exactly
     * one turn: on its way to the executor, running, or waiting for its time. Other threads only note what to do, in
     * `taken` or `wanted`, and the turn does it.
     *
     * A lease on an engine is renewed from the answer that granted it. A thread that finds it lost removes its work, if
     * that has not begun.
     */

    /** How often in a row other callers may be quicker before a turn pauses, or an offer gives up. */
    private static final int MOST_ASKS = 16;

    /** What to ask the lease for next. */
    enum Want {
        NOTHING,
        /** The offset {@link #wanted}. */
        OFFSET,
        /** The offset that is leased, or the head of the backlog. */
        FIRST
    }

    final String id;
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkLease lease;
    private final @Nullable LeaseKeeper keeper;
    private final LostWork lostWork;

    /** Called with no lock held when work is lost. */
    @FunctionalInterface
    interface LostWork {
        void tell(ActiveDomain domain, LeasedWork work);
    }

    /** Whether the domain has left the runner's map: a thread that finds it retired looks the domain up again. */
    private boolean retired;

    private boolean active;

    /** Work that is leased and has not begun. */
    private @Nullable LeasedWork taken;

    private Want want = Want.NOTHING;
    private long wanted;

    /** The last answer, if it was that another owner holds the lease. */
    private @Nullable HeldElsewhere heldBy;

    /** The lease that the wanted offset had when it was found, and whose owner may be dead. */
    private @Nullable LeaseRecord leftBehind;

    /** Whether a sweep found the domain: if another owner is quicker, the runner leaves the domain to that owner. */
    private boolean swept;

    /** Whether the sweep waits until a thread begins the domain. */
    private boolean sweepWaits;

    /** Work that the lease has given up in its answer: the last owner died, and no retry was left. */
    private @Nullable LeasedWork givenUp;

    /** The futures of callers that wait for the end of an offset. */
    private final Map<Long, CompletableFuture<Completion>> awaited = new LinkedHashMap<>();

    /** Completes when the domain is released, if a caller revoked it while it was active. */
    private @Nullable CompletableFuture<Void> revoked;

    /** Notifications to deliver after the lock is released. */
    private List<Runnable> notifications = new ArrayList<>();

    /** The lease on an engine of the work that is taken, running or waiting for a retry. */
    private @Nullable HeldLease heldLease;

    /** How many turns in a row achieved nothing. Only the domain's turn uses this, without the lock. */
    int setbacks;

    /** The turn, while it is on its way or waits for its time. */
    volatile @Nullable DomainTurn turn;

    volatile boolean running;

    ActiveDomain(String id, WorkLease lease, @Nullable LeaseKeeper keeper, LostWork lostWork) {
        this.id = id;
        this.lease = lease;
        this.keeper = keeper;
        this.lostWork = lostWork;
    }

    // ---- the turn ----

    void lock() {
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }

    boolean isRetired() {
        return retired;
    }

    /**
     * Retires the domain if nothing needs it any more. Returns whether it is retired. The thread may hold the lock
     * twice, if a call of the lease has called the runner back; then it is needed.
     */
    boolean retire() {
        retired = !active && awaited.isEmpty() && lock.getHoldCount() == 1;
        return retired;
    }

    private boolean hasWork() {
        if (taken == null && want == Want.NOTHING && !awaited.isEmpty()) {
            wantNextAwaited();
        }
        return taken != null || want != Want.NOTHING;
    }

    /* Awaited offsets take turns. */
    private void wantNextAwaited() {
        Long first = awaited.keySet().iterator().next();
        CompletableFuture<Completion> waits = requireNonNull(awaited.remove(first));
        awaited.put(first, waits);
        want(first);
    }

    /** Makes the domain active if it has work. Returns whether that is new, so that the caller must send a turn. */
    boolean activate() {
        boolean mine = !active && hasWork();
        active |= mine;
        return mine;
    }

    /** Called by the turn: returns whether work is left, otherwise the domain is no longer active. */
    boolean stayActive() {
        active = hasWork();
        return active;
    }

    /**
     * Asks the turn to release the domain. The future completes when that has happened; at once if the domain is not
     * active.
     */
    CompletableFuture<Void> revoke() {
        if (!active) {
            return CompletableFuture.completedFuture(null);
        }
        if (revoked == null) {
            revoked = new CompletableFuture<>();
        }
        return revoked;
    }

    boolean isRevoked() {
        return revoked != null;
    }

    boolean hasTaken() {
        return taken != null;
    }

    boolean isActive() {
        return active;
    }

    /** Returns the notifications to deliver after the lock is released. */
    List<Runnable> takeNotifications() {
        List<Runnable> taken = notifications;
        if (!taken.isEmpty()) {
            notifications = new ArrayList<>();
        }
        return taken;
    }

    /**
     * Forgets the work, which the lease still knows. Returns the lease that is still held and must be given back; null
     * if there is none.
     */
    @Nullable
    HeldLease letGo() {
        HeldLease held = heldLease;
        taken = null;
        want = Want.NOTHING;
        swept = false;
        active = false;
        heldLease = null;
        List.copyOf(awaited.keySet()).forEach(offset -> noteEnd(offset, Completion.LOST));
        CompletableFuture<Void> gone = revoked;
        if (gone != null) {
            revoked = null;
            notifications.add(() -> gone.complete(null));
        }
        return held != null && keeper != null && keeper.end(held) ? held : null;
    }

    // ---- the lease ----

    private LeasedWork hold(LeasedWork work, boolean fresh, long askedAt) {
        if (keeper == null) {
            return work;
        }
        HeldLease before = heldLease;
        if (before != null && !before.isOver() && before.token.equals(work.token())) {
            return work.heldBy(before);
        }
        if (before != null) {
            keeper.lose(before, new TokenMismatchException(id)); // the engine has granted the domain again
        }
        LeasedWork[] held = new LeasedWork[1];
        HeldLease now = new HeldLease(id, work.token(), fresh, askedAt, () -> lostWork.tell(this, held[0]));
        held[0] = work.heldBy(now);
        heldLease = now;
        keeper.keep(now);
        return held[0];
    }

    /**
     * Stops renewing the lease of this work, which has ended. Returns whether no other thread has ended it before.
     */
    boolean endLease(LeasedWork work) {
        HeldLease ended = work.heldLease();
        if (ended == null || keeper == null) {
            return true;
        }
        if (heldLease == ended) {
            heldLease = null;
        }
        return keeper.end(ended);
    }

    /**
     * Forgets work whose lease was lost before the work began, or while it waited for its retry. Returns whether the
     * turn has nothing left to do.
     */
    boolean drop(LeasedWork lost) {
        noteEnd(lost.offset(), Completion.LOST);
        if (heldLease == null || heldLease != lost.heldLease()) {
            return false;
        }
        heldLease = null;
        if (taken != null) {
            taken = null;
        } else if (!running && want == Want.OFFSET && wanted == lost.offset()) {
            want = Want.NOTHING;
        }
        return !running && !hasWork();
    }

    // ---- callers that wait for an end ----

    boolean isAwaited(long offset) {
        return awaited.containsKey(offset);
    }

    CompletableFuture<Completion> await(long offset) {
        return awaited.computeIfAbsent(offset, asked -> new CompletableFuture<>());
    }

    /** Notes that the offset has ended; callers that wait for it are notified after the lock is released. */
    void noteEnd(long offset, Completion end) {
        CompletableFuture<Completion> waits = awaited.remove(offset);
        if (waits != null) {
            setbacks = 0;
            notifications.add(() -> waits.complete(end));
        }
    }

    /** Notes that the offset could not be offered; callers that wait for it are notified after the lock is released. */
    void noteRefused(long offset, Throwable refused) {
        CompletableFuture<Completion> waits = awaited.remove(offset);
        if (waits != null) {
            notifications.add(() -> waits.completeExceptionally(refused));
        }
    }

    // ---- what to do next ----

    /** Makes this the next offset to ask for. */
    void want(long offset) {
        want = Want.OFFSET;
        wanted = offset;
        leftBehind = null;
    }

    /** Notes that a sweep found work here. Returns whether the domain was idle until now. */
    boolean sweep() {
        boolean idle = !active && taken == null && want == Want.NOTHING;
        if (idle) {
            want = Want.FIRST;
            swept = true;
            sweepWaits = true;
        }
        return idle;
    }

    /** Ends the sweep's wait for this domain. Returns whether the sweep has waited. */
    boolean endSweep() {
        boolean waited = sweepWaits;
        sweepWaits = false;
        return waited;
    }

    /** Returns whether a sweep of this runner found the domain, but another owner was quicker. */
    boolean sweptTooLate() {
        return swept && heldBy != null && awaited.isEmpty();
    }

    /** Returns the last answer, if it was that another owner holds the lease. */
    @Nullable
    HeldElsewhere heldBy() {
        return heldBy;
    }

    /** Returns the work that the lease has given up in its answer, once. */
    @Nullable
    LeasedWork takeGivenUp() {
        LeasedWork work = givenUp;
        givenUp = null;
        return work;
    }

    /**
     * Asks the lease until it grants work or nothing is left to ask for. Returns the work to begin now; null if there
     * is none.
     */
    @Nullable
    LeasedWork next() {
        heldBy = null;
        for (int asks = 0; taken == null && hasWork() && asks < MOST_ASKS && heldBy == null; asks++) {
            if (want == Want.FIRST) {
                lookForFirst();
            } else {
                askForWanted();
            }
        }
        LeasedWork work = taken;
        taken = null;
        return work;
    }

    private void lookForFirst() {
        Optional<DomainSnapshot> domain = lease.inspect(id);
        Optional<LeaseRecord> leased = domain.flatMap(DomainSnapshot::lease);
        Optional<Long> first = leased.map(LeaseRecord::currentOffset)
                .or(() -> domain.flatMap(found -> found.backlog().stream().findFirst()));
        want = Want.NOTHING;
        if (first.isPresent()) {
            want(first.get());
            leftBehind = leased.orElse(null);
        }
    }

    private void askForWanted() {
        long offset = wanted;
        try {
            long askedAt = now();
            LeaseRecord before = keeper == null ? null : leftBehind;
            AcquireResult answer = ask(offset, askedAt, before);
            if (answer instanceof AlreadyAcquired own) {
                take(ownWork(offset, own), false, askedAt);
            }
            if (answer instanceof Enqueued || (isOver(answer) && keeper == null)) {
                want = Want.FIRST; // the offset waits behind work that has no turn here, or is done
            } else if (isOver(answer)) {
                want = Want.NOTHING; // another owner does the rest, or a sweep finds it
            }
        } catch (BacklogOrderingException behind) {
            wanted = behind.expected();
        }
    }

    private static boolean isOver(AcquireResult answer) {
        return answer instanceof AlreadyProcessed || answer instanceof AlreadyFailed;
    }

    private long now() {
        return keeper == null ? 0 : keeper.now();
    }

    private LeasedWork ownWork(long offset, AlreadyAcquired own) {
        return new LeasedWork(id, offset, own.token(), own.fence(), own.retryCount());
    }

    /**
     * Asks the lease, takes what it grants, and notifies callers that wait for an end.
     *
     * @param before the lease of an owner that may be dead, if one is known
     */
    private AcquireResult ask(long offset, long askedAt, @Nullable LeaseRecord before) {
        AcquireResult answer = lease.tryAcquire(id, offset);
        heldBy = answer instanceof HeldElsewhere held ? held : null;
        if (heldBy != null) {
            leftBehind = null;
        }
        if (answer instanceof Acquired acquired) {
            take(new LeasedWork(id, offset, acquired.token(), acquired.fence(), acquired.retryCount()), true, askedAt);
        } else if (answer instanceof AlreadyProcessed) {
            noteEnd(offset, Completion.PROCESSED);
        } else if (answer instanceof AlreadyFailed && before != null) {
            givenUp = new LeasedWork(id, offset, "", before.fence(), before.retryCount());
        } else if (answer instanceof AlreadyFailed) {
            noteEnd(offset, Completion.PARKED);
        }
        return answer;
    }

    private void take(LeasedWork work, boolean fresh, long askedAt) {
        taken = hold(work, fresh, askedAt);
        want = Want.NOTHING;
        swept = false;
    }

    /**
     * Called after an offset has succeeded: takes the next offset if the answer grants it, otherwise notes to ask for
     * it.
     */
    void follow(TakeNextResult result, long askedAt) {
        if (!(result.succeeded() instanceof NextHint hint)) {
            return;
        }
        long offset = hint.offset();
        want(offset);
        AcquireResult next = result.next().orElse(null);
        if (next instanceof Acquired acquired) {
            take(new LeasedWork(id, offset, acquired.token(), acquired.fence(), acquired.retryCount()), true, askedAt);
        } else if (next instanceof AlreadyAcquired own) {
            take(ownWork(offset, own), false, askedAt);
        }
    }

    /**
     * Called after another owner has finished: notes to ask for the head of the backlog, unless that owner has gone on
     * with it.
     */
    void wantHead() {
        Optional<DomainSnapshot> idle =
                lease.inspect(id).filter(found -> found.lease().isEmpty());
        if (taken == null && want == Want.NOTHING) {
            idle.flatMap(found -> found.backlog().stream().findFirst()).ifPresent(this::want);
        }
    }

    // ---- what callers ask for ----

    AcquireResult offer(long offset) {
        for (int asks = 1; ; asks++) {
            try {
                long askedAt = now();
                return note(offset, ask(offset, askedAt, null), askedAt);
            } catch (BacklogOrderingException behind) {
                if (asks == MOST_ASKS) {
                    throw behind;
                }
                offerHead(behind.expected());
            }
        }
    }

    @SuppressWarnings("EmptyCatch") // another thread was quicker: the offset itself is asked for again
    private void offerHead(long head) {
        try {
            long askedAt = now();
            note(head, ask(head, askedAt, null), askedAt);
        } catch (BacklogOrderingException another) {
            // nothing has changed
        }
    }

    /* On an engine the holder of the lease also does the waiting offsets; if it dies, a sweep finds them. */
    private AcquireResult note(long offset, AcquireResult answer, long askedAt) {
        if (active || taken != null) {
            return answer;
        }
        if (answer instanceof AlreadyAcquired own) {
            take(ownWork(offset, own), false, askedAt);
        } else if (answer instanceof HeldElsewhere || (answer instanceof Enqueued && keeper == null)) {
            want(offset);
        }
        return answer;
    }

    boolean replay(long offset) {
        boolean replayed = lease.replay(id, offset);
        if (replayed && want == Want.NOTHING) {
            want(offset);
        }
        return replayed;
    }

    boolean resume() {
        if (!active) {
            lookForFirst();
        }
        return active || want != Want.NOTHING;
    }
}
