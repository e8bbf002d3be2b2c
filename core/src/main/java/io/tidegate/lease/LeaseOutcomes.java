package io.tidegate.lease;

import io.tidegate.lease.DomainTurn.Wait;
import io.tidegate.lease.FailResult.GiveUpNextHint;
import io.tidegate.lease.FailResult.RetryScheduled;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports the outcomes of attempts to the lease, and notes what comes next by its answer. */
final class LeaseOutcomes {
    /*
     * An attempt is inside the gate until the lease knows its outcome. If the lease cannot be reached, a turn of the
     * domain reports again later. When nothing is left to report, `leave` goes on with the domain.
     */
    private final WorkLease lease;
    private final @Nullable SharedWorkLease shared;
    private final ActiveDomains domains;
    private final RunnerClock clock;
    private final StopGate gate;
    private final RunnerEvents events;
    private final RetryPauses pauses;
    private final TurnDispatcher turns;
    private final BiConsumer<ActiveDomain, Duration> leave;

    /** @param leave goes on with a domain when its attempt is over; the next attempt begins after the given pause */
    LeaseOutcomes(
            WorkLease lease,
            ActiveDomains domains,
            RunnerClock clock,
            StopGate gate,
            RunnerEvents events,
            RetryPauses pauses,
            TurnDispatcher turns,
            BiConsumer<ActiveDomain, Duration> leave) {
        this.lease = lease;
        this.shared = lease instanceof SharedWorkLease engine ? engine : null;
        this.domains = domains;
        this.clock = clock;
        this.gate = gate;
        this.events = events;
        this.pauses = pauses;
        this.turns = turns;
        this.leave = leave;
    }

    /** Reports that an attempt has ended; the error is null if it has succeeded. */
    void report(ActiveDomain domain, LeasedWork work, @Nullable Throwable error) {
        if (error != null) {
            events.countFailed();
        }
        reportEnd(domain, work, error);
    }

    private void reportEnd(ActiveDomain domain, LeasedWork work, @Nullable Throwable error) {
        if (error != null) {
            endBadly(domain, work, error);
        } else if (shared == null || work.answer() == null) {
            endWell(domain, work);
        } else {
            endJoined(domain, work, shared);
        }
    }

    /* The task has reported its success in its own transaction. If that has not committed, the lease still exists. */
    private void endJoined(ActiveDomain domain, LeasedWork work, SharedWorkLease engine) {
        Boolean open = finish(domain, work, null, () -> isOpen(engine, work));
        if (open == null) {
            return;
        }
        if (open) {
            work.withdrawSuccess();
            report(
                    domain,
                    work,
                    new IllegalStateException(
                            "task: returned, but the transaction in which it succeeded has not committed (expected: a"
                                    + " commit before it returns)"));
        } else {
            endWell(domain, work);
        }
    }

    private static boolean isOpen(SharedWorkLease engine, LeasedWork work) {
        try {
            engine.renew(work.domainId(), work.token());
            return true;
        } catch (TokenMismatchException | LeaseNotFoundException ended) {
            return false;
        }
    }

    private void endWell(ActiveDomain domain, LeasedWork work) {
        SucceedResult answer = finish(domain, work, null, () -> {
            long askedAt = clock.nanoTime();
            TakeNextResult result = succeed(domain, work);
            domain.endLease(work);
            events.countSucceeded();
            domain.noteEnd(work.offset(), Completion.PROCESSED);
            domain.follow(result, askedAt);
            return result.succeeded();
        });
        if (answer != null) {
            events.succeeded(work);
            leave.accept(domain, Duration.ZERO);
        }
    }

    /* Reports the success and asks for the next offset in one step, unless this runner would not begin that offset. */
    private TakeNextResult succeed(ActiveDomain domain, LeasedWork work) {
        SucceedResult known = work.answer();
        if (known == null && !gate.isClosed() && !domain.isRevoked()) {
            return lease.succeedAndTakeNext(domain.id, work.token());
        }
        return new TakeNextResult(known == null ? lease.succeed(domain.id, work.token()) : known, Optional.empty());
    }

    private void endBadly(ActiveDomain domain, LeasedWork work, Throwable error) {
        Failure failure = failure(work, error);
        FailResult answer = finish(domain, work, error, () -> {
            FailResult result = fail(work, failure);
            if (result instanceof RetryScheduled) {
                domain.want(work.offset());
                return result;
            }
            domain.endLease(work);
            if (result instanceof GiveUpNextHint next) {
                domain.want(next.offset());
            }
            return result;
        });
        if (answer instanceof RetryScheduled retry) {
            Duration delay =
                    error instanceof RetryAfter after ? after.pause() : pauses.retry(domain.id, retry.retryCount());
            events.retryScheduled(work, error, delay);
            leave.accept(domain, delay);
        } else if (answer != null) {
            park(domain, work, error);
            leave.accept(domain, Duration.ZERO);
        }
    }

    private static Failure failure(LeasedWork work, Throwable error) {
        HeldLease heldLease = work.heldLease();
        int number = heldLease == null ? 0 : heldLease.nextFailure();
        return new Failure(number, error instanceof PermanentFailure, reason(error));
    }

    /* The exception's own methods are user code, too, and may throw. */
    private static String reason(Throwable error) {
        try {
            String text = error.toString();
            return text == null ? error.getClass().getName() : text;
        } catch (Throwable broken) {
            return error.getClass().getName();
        }
    }

    private FailResult fail(LeasedWork work, Failure failure) {
        HeldLease heldLease = work.heldLease();
        long before = clock.nanoTime();
        FailResult result = lease.fail(work.domainId(), work.token(), failure);
        if (heldLease != null) {
            heldLease.failureReported();
            heldLease.confirmed(before);
            heldLease.setEnding(false);
        }
        return result;
    }

    /*
     * Reports an outcome to the lease. Returns null if nothing is left to do for the caller: the lease has refused the
     * outcome, or gets it later.
     */
    private <R> @Nullable R finish(
            ActiveDomain domain, LeasedWork work, @Nullable Throwable error, Supplier<R> outcome) {
        if (work.isLost()) { // the listener was notified of that
            leaveLost(domain);
            return null;
        }
        HeldLease heldLease = work.heldLease();
        if (heldLease != null) {
            heldLease.setEnding(true);
        }
        Throwable thrown;
        domain.lock();
        try {
            return outcome.get();
        } catch (Throwable refused) {
            thrown = refused;
        } finally {
            domains.unlock(domain);
        }
        if (thrown instanceof TokenMismatchException || thrown instanceof LeaseNotFoundException) {
            IllegalStateException refusal = (IllegalStateException) thrown;
            if (endLost(domain, work)) {
                events.lost(work, refusal);
            }
            leaveLost(domain);
        } else {
            events.error(domain.id, thrown);
            turns.send(
                    new DomainTurn(domain, Wait.REPORT, () -> reportEnd(domain, work, error)),
                    pauses.next(domain, null));
        }
        return null;
    }

    /* Returns whether no other thread has found the loss before. */
    private boolean endLost(ActiveDomain domain, LeasedWork work) {
        domain.lock();
        boolean mine = domain.endLease(work);
        domain.noteEnd(work.offset(), Completion.LOST);
        domains.unlock(domain);
        return mine;
    }

    private void leaveLost(ActiveDomain domain) {
        wantHead(domain);
        leave.accept(domain, Duration.ZERO);
    }

    /*
     * Another owner has finished the offset and got the hint, but the waiting offsets were offered to this runner. On
     * an engine a sweep finds what is left.
     */
    private void wantHead(ActiveDomain domain) {
        if (shared != null) {
            return;
        }
        Throwable away;
        domain.lock();
        try {
            domain.wantHead();
            return;
        } catch (Throwable thrown) {
            away = thrown;
        } finally {
            domains.unlock(domain);
        }
        events.error(domain.id, away);
    }

    /** Hands over work that has failed permanently. */
    void park(ActiveDomain domain, LeasedWork work, Throwable error) {
        events.parked(work, error);
        domain.lock();
        domain.noteEnd(work.offset(), Completion.PARKED); // callers that wait may rely on the handler
        domains.unlock(domain);
    }
}
