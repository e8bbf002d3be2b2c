package io.tidegate.lease;

import io.tidegate.lease.DomainTurn.Wait;
import io.tidegate.lease.FailResult.GiveUpNextHint;
import io.tidegate.lease.FailResult.RetryScheduled;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reports to the lease how attempts ended, and what the answer says comes next. */
final class LeaseOutcomes {
    /*
     * The attempt is inside the gate until the lease knows its outcome. If the lease cannot be asked, a turn of the
     * domain asks it again later. When nothing is left to report, `leave` goes on with the domain.
     */
    private final WorkLease lease;
    private final @Nullable SharedWorkLease shared;
    private final ActiveDomains domains;
    private final RunnerClock pace;
    private final StopGate gate;
    private final RunnerEvents news;
    private final RetryPauses setbacks;
    private final TurnDispatcher turns;
    private final BiConsumer<ActiveDomain, Duration> leave;

    /** @param leave what to do when the attempt is over, and after which pause the next may begin */
    LeaseOutcomes(
            WorkLease lease,
            ActiveDomains domains,
            RunnerClock pace,
            StopGate gate,
            RunnerEvents news,
            RetryPauses setbacks,
            TurnDispatcher turns,
            BiConsumer<ActiveDomain, Duration> leave) {
        this.lease = lease;
        this.shared = lease instanceof SharedWorkLease engine ? engine : null;
        this.domains = domains;
        this.pace = pace;
        this.gate = gate;
        this.news = news;
        this.setbacks = setbacks;
        this.turns = turns;
        this.leave = leave;
    }

    /** An attempt has ended, without an error if it has succeeded. */
    void report(ActiveDomain domain, LeasedWork work, @Nullable Throwable error) {
        if (error != null) {
            news.countFailed();
        }
        tellEnd(domain, work, error);
    }

    private void tellEnd(ActiveDomain domain, LeasedWork work, @Nullable Throwable error) {
        if (error != null) {
            endBadly(domain, work, error);
        } else if (shared == null || work.answer() == null) {
            endWell(domain, work);
        } else {
            endJoined(domain, work, shared);
        }
    }

    /* The task has reported in its own transaction. If that did not commit, the lease still exists. */
    private void endJoined(ActiveDomain domain, LeasedWork work, SharedWorkLease engine) {
        Boolean open = finish(domain, work, null, () -> isOpen(engine, work));
        if (open == null) {
            return;
        }
        if (open) {
            work.succeedsNot();
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
            long askedAt = pace.nanoTime();
            TakeNextResult result = succeed(domain, work);
            domain.endRenewal(work);
            news.countSucceeded();
            domain.tellEnd(work.offset(), Completion.PROCESSED);
            domain.follow(result, askedAt);
            return result.succeeded();
        });
        if (answer != null) {
            news.succeeded(work);
            leave.accept(domain, Duration.ZERO);
        }
    }

    /* Takes the next offset along, unless this runner would not begin it. */
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
            domain.endRenewal(work);
            if (result instanceof GiveUpNextHint next) {
                domain.want(next.offset());
            }
            return result;
        });
        if (answer instanceof RetryScheduled retry) {
            Duration delay =
                    error instanceof RetryAfter after ? after.pause() : setbacks.retry(domain.id, retry.retryCount());
            news.retryScheduled(work, error, delay);
            leave.accept(domain, delay);
        } else if (answer != null) {
            park(domain, work, error);
            leave.accept(domain, Duration.ZERO);
        }
    }

    private static Failure failure(LeasedWork work, Throwable error) {
        LeaseRenewal renewal = work.renewal();
        int number = renewal == null ? 0 : renewal.nextFailure();
        return new Failure(number, error instanceof PermanentFailure, reason(error));
    }

    /* An exception is user code, too. */
    private static String reason(Throwable error) {
        try {
            String told = error.toString();
            return told == null ? error.getClass().getName() : told;
        } catch (Throwable broken) {
            return error.getClass().getName();
        }
    }

    private FailResult fail(LeasedWork work, Failure failure) {
        LeaseRenewal renewal = work.renewal();
        long before = pace.nanoTime();
        FailResult result = lease.fail(work.domainId(), work.token(), failure);
        if (renewal != null) {
            renewal.failureTold();
            renewal.confirmed(before);
            renewal.setEnding(false);
        }
        return result;
    }

    /*
     * Reports an outcome to the lease. Returns null when nothing is left to do here: the lease refuses the outcome, or
     * gets it later.
     */
    private <R> @Nullable R finish(
            ActiveDomain domain, LeasedWork work, @Nullable Throwable error, Supplier<R> outcome) {
        if (work.isLost()) { // and the listener knows
            leaveLost(domain);
            return null;
        }
        LeaseRenewal renewal = work.renewal();
        if (renewal != null) {
            renewal.setEnding(true);
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
                news.lost(work, refusal);
            }
            leaveLost(domain);
        } else {
            news.error(domain.id, thrown);
            turns.send(
                    new DomainTurn(domain, Wait.TELL, () -> tellEnd(domain, work, error)), setbacks.next(domain, null));
        }
        return null;
    }

    /* Returns whether this is the first to find out. */
    private boolean endLost(ActiveDomain domain, LeasedWork work) {
        domain.lock();
        boolean mine = domain.endRenewal(work);
        domain.tellEnd(work.offset(), Completion.LOST);
        domains.unlock(domain);
        return mine;
    }

    private void leaveLost(ActiveDomain domain) {
        wantHead(domain);
        leave.accept(domain, Duration.ZERO);
    }

    /*
     * The other owner got the hint, but the waiting offsets were offered here. On an engine a sweep finds what is left.
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
        news.error(domain.id, away);
    }

    /** Given up for good: the handler has it. */
    void park(ActiveDomain domain, LeasedWork work, Throwable error) {
        news.parked(work, error);
        domain.lock();
        domain.tellEnd(work.offset(), Completion.PARKED); // callers that wait may rely on the handler
        domains.unlock(domain);
    }
}
