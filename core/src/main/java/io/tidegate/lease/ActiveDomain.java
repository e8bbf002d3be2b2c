package io.tidegate.lease;

import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.AcquireResult.AlreadyAcquired;
import io.tidegate.lease.AcquireResult.Enqueued;
import io.tidegate.lease.AcquireResult.HeldElsewhere;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A domain a runner has to do with: asks the lease, and knows what is to be done next. Its methods want the lock to be held. */
final class ActiveDomain {
    /*
     * A domain is active from when somebody finds something to do in it until nothing is left. While it is, exactly one turn of it exists:
     * on its way to the executor, running, or waiting for its time. Whoever else comes only leaves a note of what is to be done, `taken` or
     * `wanted`, and the turn finds it.
     */

    /** How often in a row others may be quicker before a turn waits, or an offer gives up. */
    private static final int MOST_ASKS = 16;

    final String id;
    private final ReentrantLock lock = new ReentrantLock();
    private final WorkLease lease;

    /** Whether it is out of the runner's map: who finds it so looks again. */
    private boolean retired;

    private boolean active;

    /** Leased and not begun. */
    private @Nullable LeasedWork taken;

    /** Whether {@link #wanted} is to be asked for. */
    private boolean wants;

    private long wanted;

    /** Whether the last answer was that somebody else has the lease. */
    private boolean held;

    /** The attempt that failed last, with its failures counted: who gets its token again need not look. */
    private @Nullable LeasedWork failed;

    /** The lease of what is worked on, or waits for its retry, if it is on an engine. Known to whose turn it is. */
    @Nullable
    Holding holding;

    /** How often in a row a turn came to nothing. Known to whose turn it is, without the lock. */
    int setbacks;

    /** The turn, while it waits for its time. */
    volatile @Nullable Turn waiting;

    volatile boolean running;

    ActiveDomain(String id, WorkLease lease) {
        this.id = id;
        this.lease = lease;
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

    /** Whether nobody has to do with it any more. The holder of the lock may be inside a lease call that called back. */
    boolean retire() {
        retired = !active && lock.getHoldCount() == 1;
        return retired;
    }

    /** Whether something is to be done and the caller is the one who sees to it. */
    boolean activate() {
        boolean mine = !active && (taken != null || wants);
        active |= mine;
        return mine;
    }

    /** Whether something is left to be done; for whose turn it is. */
    boolean stayActive() {
        active = taken != null || wants;
        return active;
    }

    /** Forgets what is to be done; the lease knows it. */
    void letGo() {
        taken = null;
        wants = false;
        active = false;
    }

    boolean isHeldElsewhere() {
        return held;
    }

    void endHolding() {
        Holding ended = holding;
        if (ended != null) {
            ended.end();
            holding = null;
        }
    }

    // ---- what to do next ----

    /** The offset is to be asked for next. */
    void want(long offset) {
        wants = true;
        wanted = offset;
    }

    /** The attempt is to be made again. */
    void wantAgain(LeasedWork work) {
        failed = work;
        want(work.offset());
    }

    /** The work to begin with now, if it is to be had. */
    @Nullable
    LeasedWork next() {
        for (int asks = 0; taken == null && wants && asks < MOST_ASKS; asks++) {
            askForWanted();
            if (held) {
                break;
            }
        }
        LeasedWork work = taken;
        taken = null;
        return work;
    }

    private void askForWanted() {
        held = false;
        try {
            AcquireResult answer = lease.tryAcquire(id, wanted);
            held = answer instanceof HeldElsewhere;
            if (answer instanceof Acquired acquired) {
                take(new LeasedWork(id, wanted, acquired.token(), acquired.fence(), 0));
            } else if (answer instanceof AlreadyAcquired own) {
                take(leftBehind(own));
            } else if (!held) {
                // in line behind what nobody here works on, or done by somebody else
                wantFirst();
            }
        } catch (BacklogOrderingException behind) {
            wanted = behind.expected();
        }
    }

    private void take(LeasedWork work) {
        taken = work;
        wants = false;
    }

    private LeasedWork leftBehind(AlreadyAcquired own) {
        LeasedWork known = failed;
        if (known != null && known.fence() == own.fence() && known.token().equals(own.token())) {
            return known;
        }
        int failures = leaseRecord()
                .filter(record -> record.token().equals(own.token()))
                .map(LeaseRecord::retryCount)
                .orElse(0);
        return new LeasedWork(id, wanted, own.token(), own.fence(), failures);
    }

    /** The lease of the domain, whoever has it. */
    Optional<LeaseRecord> leaseRecord() {
        return lease.inspect(id).flatMap(DomainSnapshot::lease);
    }

    /** After somebody else finished: what is in line behind it, unless he has gone on himself. */
    void wantHead() {
        Optional<DomainSnapshot> idle =
                lease.inspect(id).filter(found -> found.lease().isEmpty());
        if (taken == null && !wants) {
            idle.flatMap(found -> found.backlog().stream().findFirst()).ifPresent(this::want);
        }
    }

    private void wantFirst() {
        Optional<DomainSnapshot> domain = lease.inspect(id);
        Optional<Long> leased = domain.flatMap(DomainSnapshot::lease).map(LeaseRecord::currentOffset);
        Optional<Long> first =
                leased.or(() -> domain.flatMap(found -> found.backlog().stream().findFirst()));
        wants = first.isPresent();
        first.ifPresent(this::want);
    }

    // ---- what callers ask for ----

    AcquireResult offer(long offset) {
        for (int asks = 1; ; asks++) {
            try {
                return note(offset, lease.tryAcquire(id, offset));
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
            note(head, lease.tryAcquire(id, head));
        } catch (BacklogOrderingException another) {
            // nothing has changed
        }
    }

    private AcquireResult note(long offset, AcquireResult answer) {
        held = answer instanceof HeldElsewhere;
        if (answer instanceof Acquired acquired) {
            take(new LeasedWork(id, offset, acquired.token(), acquired.fence(), 0));
        } else if (!active && taken == null && isToBeDone(answer)) {
            want(offset);
        }
        return answer;
    }

    private static boolean isToBeDone(AcquireResult answer) {
        return answer instanceof AlreadyAcquired || answer instanceof Enqueued || answer instanceof HeldElsewhere;
    }

    boolean replay(long offset) {
        boolean replayed = lease.replay(id, offset);
        if (replayed && !wants) {
            want(offset);
        }
        return replayed;
    }

    boolean resume() {
        if (!active) {
            wantFirst();
        }
        return active || wants;
    }
}
