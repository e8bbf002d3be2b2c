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
 * A domain a runner has to do with: asks the lease, and knows what is to be done next. Its methods want the lock to be
 * held.
 */
final class ActiveDomain {
    /*
     * A domain is active from when somebody finds something to do in it until nothing is left. While it is, exactly one
     * turn of it exists: on its way to the executor, running, or waiting for its time. Whoever else comes only leaves a
     * note of what is to be done, `taken` or `wanted`, and the turn finds it.
     *
     * What is taken on an engine is held from the answer on. Whoever finds out that it is lost takes it away again, if
     * it has not begun.
     */

    /** How often in a row others may be quicker before a turn waits, or an offer gives up. */
    private static final int MOST_ASKS = 16;

    /** What is looked for when the domain was found to have work that nobody does. */
    enum Want {
        NOTHING,
        /** The offset {@link #wanted}. */
        OFFSET,
        /** Whatever is leased or first in line. */
        FIRST
    }

    final String id;
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkLease lease;
    private final @Nullable LeaseKeeper keeper;
    private final LostWork lostWork;

    /** Is told of work that was lost, with nothing held. */
    @FunctionalInterface
    interface LostWork {
        void tell(ActiveDomain domain, LeasedWork work);
    }

    /** Whether it is out of the runner's map: who finds it so looks again. */
    private boolean retired;

    private boolean active;

    /** Leased and not begun. */
    private @Nullable LeasedWork taken;

    private Want want = Want.NOTHING;
    private long wanted;

    /** Whether the last answer was that somebody else has the lease, and until when. */
    private @Nullable HeldElsewhere heldBy;

    /** What is wanted, as somebody had leased it who may be dead. */
    private @Nullable LeaseRecord leftBehind;

    /** Whether a sweep found it: if somebody else is quicker, it is left to him. */
    private boolean swept;

    /** Whether the sweep waits for a thread to come to it. */
    private boolean sweepWaits;

    /** What was given up while it was asked for: its last owner died, and there was no retry left. */
    private @Nullable LeasedWork givenUp;

    /** Whoever asked to be told of the end of an offset. */
    private final Map<Long, CompletableFuture<Completion>> awaited = new LinkedHashMap<>();

    /** Ends when it is let go of, if that was asked for while it was active. */
    private @Nullable CompletableFuture<Void> revoked;

    /** Who is to be told when the lock is free. */
    private List<Runnable> news = new ArrayList<>();

    /** The lease of what is taken, worked on, or waits for its retry, if it is on an engine. */
    private @Nullable LeaseRenewal renewal;

    /** How often in a row a turn came to nothing. Known to whose turn it is, without the lock. */
    int setbacks;

    /** The turn, on its way or waiting for its time. */
    volatile @Nullable DomainTurn turn;

    volatile boolean running;

    ActiveDomain(String id, WorkLease lease, @Nullable LeaseKeeper keeper, LostWork lostWork) {
        this.id = id;
        this.lease = lease;
        this.keeper = keeper;
        this.lostWork = lostWork;
    }

    // ---- whose turn it is ----

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
     * Whether nobody has to do with it any more. The holder of the lock may be inside a lease call that called back.
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

    /* One after the other, round and round. */
    private void wantNextAwaited() {
        Long first = awaited.keySet().iterator().next();
        CompletableFuture<Completion> waits = requireNonNull(awaited.remove(first));
        awaited.put(first, waits);
        want(first);
    }

    /** Whether something is to be done and the caller is the one who sees to it. */
    boolean activate() {
        boolean mine = !active && hasWork();
        active |= mine;
        return mine;
    }

    /** Whether something is left to be done; for whose turn it is. */
    boolean stayActive() {
        active = hasWork();
        return active;
    }

    /** It is to be let go of. Ends when that has happened; at once if nobody here sees to it. */
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

    /** Who is to be told, when the lock is free. */
    List<Runnable> takeNews() {
        List<Runnable> told = news;
        if (!told.isEmpty()) {
            news = new ArrayList<>();
        }
        return told;
    }

    /** Forgets what is to be done; the lease knows it. Returns what is still held, which is to be released. */
    @Nullable
    LeaseRenewal letGo() {
        LeaseRenewal held = renewal;
        taken = null;
        want = Want.NOTHING;
        swept = false;
        active = false;
        renewal = null;
        List.copyOf(awaited.keySet()).forEach(offset -> tellEnd(offset, Completion.LOST));
        CompletableFuture<Void> gone = revoked;
        if (gone != null) {
            revoked = null;
            news.add(() -> gone.complete(null));
        }
        return held != null && keeper != null && keeper.end(held) ? held : null;
    }

    // ---- who holds it ----

    private LeasedWork hold(LeasedWork work, boolean fresh, long askedAt) {
        if (keeper == null) {
            return work;
        }
        LeaseRenewal before = renewal;
        if (before != null && !before.isOver() && before.token.equals(work.token())) {
            return work.heldBy(before);
        }
        if (before != null) {
            keeper.lose(before, new TokenMismatchException(id)); // the engine has given the domain anew
        }
        LeasedWork[] held = new LeasedWork[1];
        LeaseRenewal now = new LeaseRenewal(id, work.token(), fresh, askedAt, () -> lostWork.tell(this, held[0]));
        held[0] = work.heldBy(now);
        renewal = now;
        keeper.keep(now);
        return held[0];
    }

    /**
     * Nobody has to prolong the lease of this work any more: somebody has ended it. Whether nobody had found that out
     * before.
     */
    boolean endRenewal(LeasedWork work) {
        LeaseRenewal ended = work.renewal();
        if (ended == null || keeper == null) {
            return true;
        }
        if (renewal == ended) {
            renewal = null;
        }
        return keeper.end(ended);
    }

    /**
     * Forgets work that was lost before it began, or while it waited for its retry. Whether the turn is of no use any
     * more.
     */
    boolean drop(LeasedWork lost) {
        tellEnd(lost.offset(), Completion.LOST);
        if (renewal == null || renewal != lost.renewal()) {
            return false;
        }
        renewal = null;
        if (taken != null) {
            taken = null;
        } else if (!running && want == Want.OFFSET && wanted == lost.offset()) {
            want = Want.NOTHING;
        }
        return !running && !hasWork();
    }

    // ---- who waits for the end ----

    boolean isAwaited(long offset) {
        return awaited.containsKey(offset);
    }

    CompletableFuture<Completion> await(long offset) {
        return awaited.computeIfAbsent(offset, asked -> new CompletableFuture<>());
    }

    /** The offset has come to an end here, which is told when the lock is free. */
    void tellEnd(long offset, Completion end) {
        CompletableFuture<Completion> waits = awaited.remove(offset);
        if (waits != null) {
            setbacks = 0;
            news.add(() -> waits.complete(end));
        }
    }

    /** The offset could not be offered. */
    void tellRefused(long offset, Throwable refused) {
        CompletableFuture<Completion> waits = awaited.remove(offset);
        if (waits != null) {
            news.add(() -> waits.completeExceptionally(refused));
        }
    }

    // ---- what to do next ----

    /** The offset is to be asked for next. */
    void want(long offset) {
        want = Want.OFFSET;
        wanted = offset;
        leftBehind = null;
    }

    /** A sweep found that there is something to do. Whether nobody here sees to it yet. */
    boolean sweep() {
        boolean idle = !active && taken == null && want == Want.NOTHING;
        if (idle) {
            want = Want.FIRST;
            swept = true;
            sweepWaits = true;
        }
        return idle;
    }

    /** Whether the sweep waits for this moment, in which somebody comes to it. */
    boolean endSweep() {
        boolean waited = sweepWaits;
        sweepWaits = false;
        return waited;
    }

    /** Whether a sweep found it, and somebody else has it now. */
    boolean isSweptByAnother() {
        return swept && heldBy != null && awaited.isEmpty();
    }

    /** Until when somebody else has the lease, if the last answer was that. */
    @Nullable
    HeldElsewhere heldBy() {
        return heldBy;
    }

    /** What was given up when it was asked for, once. */
    @Nullable
    LeasedWork takeGivenUp() {
        LeasedWork work = givenUp;
        givenUp = null;
        return work;
    }

    /** The work to begin with now, if it is to be had. */
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
                want = Want.FIRST; // in line behind what nobody here works on, or done by somebody else
            } else if (isOver(answer)) {
                want = Want.NOTHING; // what is left on an engine is in somebody's hands, or a sweep finds it
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
     * Asks the lease, takes what it gives, and tells who waits for an end. With what is known of its owner before, who
     * may be dead.
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
            tellEnd(offset, Completion.PROCESSED);
        } else if (answer instanceof AlreadyFailed && before != null) {
            givenUp = new LeasedWork(id, offset, "", before.fence(), before.retryCount());
        } else if (answer instanceof AlreadyFailed) {
            tellEnd(offset, Completion.PARKED);
        }
        return answer;
    }

    private void take(LeasedWork work, boolean fresh, long askedAt) {
        taken = hold(work, fresh, askedAt);
        want = Want.NOTHING;
        swept = false;
    }

    /** After an offset has succeeded: what is in line behind it is taken, if it was given, or asked for. */
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

    /** After somebody else finished: what is in line behind it, unless he has gone on himself. */
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

    @SuppressWarnings("EmptyCatch") // somebody else was quicker: the offset itself is asked for again
    private void offerHead(long head) {
        try {
            long askedAt = now();
            note(head, ask(head, askedAt, null), askedAt);
        } catch (BacklogOrderingException another) {
            // nothing has changed
        }
    }

    /* What is in line on an engine is in the hands of whoever has the lease; if he dies, a sweep finds it. */
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
