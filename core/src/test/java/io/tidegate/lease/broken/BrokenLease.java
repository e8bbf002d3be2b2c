package io.tidegate.lease.broken;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.ReferenceLease;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.TokenSource;
import io.tidegate.lease.WorkLease;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** The reference, with one fault each that callers can see one after the other. */
public enum BrokenLease implements LeaseFactory {
    /** Offsets are compared as objects, which works only for small numbers. */
    BOXED_COMPARISON((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        @SuppressWarnings({"BoxedPrimitiveEquality", "ReferenceEquality"})
        protected boolean same(long one, long other) {
            Long boxed = one;
            Long another = other;
            return boxed == another;
        }
    }),

    /** While another offset is leased, a failed offset is enqueued: it becomes a head that no caller can acquire. */
    FAILED_OFFSET_ENQUEUED((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected boolean isFailed(Domain domain, long offset) {
            return domain.lease == null && super.isFailed(domain, offset);
        }
    }),

    /** The same with a processed offset. */
    PROCESSED_OFFSET_ENQUEUED((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected boolean isProcessed(Domain domain, long offset) {
            return domain.lease == null && super.isProcessed(domain, offset);
        }
    }),

    /** The head is removed first and its token made afterwards: if that throws, the offset is gone. */
    HEAD_POPPED_BEFORE_TOKEN((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        public synchronized AcquireResult tryAcquire(String domainId, long offset) {
            requireName(domainId);
            AcquireResult answer = answerWithoutLease(domainId, offset);
            if (answer != null) {
                return answer;
            }
            Domain domain = known(domainId);
            domain.backlog.pollFirst();
            String token = tokens.next(domainId, offset, domain.fence + 1);
            domain.backlog.addFirst(offset);
            return acquire(domainId, offset, token, clock.millis());
        }
    }),

    /** The token of a failed attempt ends the replayed one. */
    STALE_TOKEN_AFTER_REPLAY((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        private @Nullable String stale;

        @Override
        protected void endLease(Domain domain) {
            stale = domain.lease == null ? stale : domain.lease.token();
            super.endLease(domain);
        }

        @Override
        protected boolean isToken(Domain domain, @Nullable String token) {
            boolean replayed =
                    domain.lease != null && domain.replayed != null && domain.lease.currentOffset() == domain.replayed;
            return super.isToken(domain, token) || (replayed && token != null && token.equals(stale));
        }
    }),

    /** A forgotten domain numbers its acquisitions from 1 again. */
    FENCE_RESET_BY_FORGET((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        public synchronized void forget(String domainId, long upToOffset) {
            super.forget(domainId, upToOffset);
            known(domainId).fence = 0;
        }
    }),

    /** Forgotten offsets are unknown instead of done. */
    FORGOTTEN_RUNS_AGAIN((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        public synchronized void forget(String domainId, long upToOffset) {
            super.forget(domainId, upToOffset);
            known(domainId).forgotten = null;
            known(domainId).processed.removeIf(offset -> offset <= upToOffset);
        }
    }),

    /** Forgetting also forgets failed offsets, as if they were done. */
    FAILURE_FORGOTTEN((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        public synchronized void forget(String domainId, long upToOffset) {
            super.forget(domainId, upToOffset);
            known(domainId).failed.removeIf(offset -> offset <= upToOffset);
        }
    }),

    /** Each retry changes the time of the lease. */
    RETRY_DATES_ANEW((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected LeaseRecord retried(LeaseRecord lease) {
            return new LeaseRecord(
                    lease.currentOffset(), lease.token(), lease.fence(), clock.millis(), lease.retryCount() + 1);
        }
    }),

    /** There is one retry too many. */
    ONE_RETRY_TOO_MANY((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries + 1, clock, tokens)),

    /** The backlog is sorted by number. */
    BACKLOG_BY_NUMBER((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected void addToBacklog(Domain domain, long offset) {
            super.addToBacklog(domain, offset);
            Long[] sorted = domain.backlog.stream().sorted().toArray(Long[]::new);
            domain.backlog.clear();
            for (Long each : sorted) {
                domain.backlog.addLast(each);
            }
        }
    }),

    /** An offset that comes twice is enqueued twice. */
    BACKLOG_WITH_DUPLICATES((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected void addToBacklog(Domain domain, long offset) {
            domain.backlog.addLast(offset);
        }
    }),

    /** An offset that comes out of order to an idle domain is refused, but enqueued anyway. */
    REFUSED_IS_ENQUEUED((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected @Nullable AcquireResult answerWithoutLease(String domainId, long offset) {
            try {
                return super.answerWithoutLease(domainId, offset);
            } catch (BacklogOrderingException refused) {
                addToBacklog(known(domainId), offset);
                throw refused;
            }
        }
    }),

    /** A replayed offset overtakes all that wait. */
    REPLAY_AT_THE_HEAD((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected void enqueueReplayed(Domain domain, long offset) {
            domain.backlog.addFirst(offset);
        }
    }),

    /** The refusal of a wrong token reveals the right one. */
    MISMATCH_TELLS_THE_TOKEN((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected Domain leased(String domainId, @Nullable String token) {
            try {
                return super.leased(domainId, token);
            } catch (TokenMismatchException mismatch) {
                LeaseRecord lease = known(domainId).lease;
                mismatch.addSuppressed(
                        new IllegalStateException("expected " + (lease == null ? "none" : lease.token())));
                throw mismatch;
            }
        }
    }),

    /** A search for a lease creates the domain. */
    REFUSAL_MAKES_A_DOMAIN((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected Domain leased(String domainId, @Nullable String token) {
            try {
                return super.leased(domainId, token);
            } catch (LeaseNotFoundException notFound) {
                domains.computeIfAbsent(domainId, name -> new Domain());
                throw notFound;
            }
        }
    }),

    /** Any token ends the lease. */
    ANY_TOKEN((maxRetries, clock, tokens) -> new ReferenceLease(maxRetries, clock, tokens) {
        @Override
        protected boolean isToken(Domain domain, @Nullable String token) {
            return true;
        }
    });

    private final LeaseFactory factory;

    BrokenLease(LeaseFactory factory) {
        this.factory = factory;
    }

    @Override
    public WorkLease create(int maxRetries, Clock clock, TokenSource tokens) {
        return factory.create(maxRetries, clock, tokens);
    }
}
