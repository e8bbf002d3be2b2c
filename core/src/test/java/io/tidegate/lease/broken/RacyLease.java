package io.tidegate.lease.broken;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.ReferenceLease;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenSource;
import io.tidegate.lease.WorkLease;
import java.time.Clock;

/** The reference, with one fault each that only threads that meet can see. */
public enum RacyLease implements LeaseFactory {
    /** Whether the domain is free is checked before the token is made, and not again: two callers hold the lease. */
    ACQUIRES_WITHOUT_A_SECOND_LOOK {
        @Override
        public WorkLease create(int maxRetries, Clock clock, TokenSource tokens) {
            return new ReferenceLease(maxRetries, clock, tokens) {
                @Override
                public AcquireResult tryAcquire(String domainId, long offset) {
                    long fence;
                    synchronized (this) {
                        AcquireResult answer = answerWithoutLease(domainId, offset);
                        if (answer != null) {
                            return answer;
                        }
                        fence = known(domainId).fence + 1;
                    }
                    String token = tokens.next(domainId, offset, fence);
                    long now = clock.millis();
                    linger();
                    synchronized (this) {
                        return acquire(domainId, offset, token, now);
                    }
                }
            };
        }
    },

    /**
     * The token is checked in one step and the lease ended in another: two callers that finish both get the answer that
     * they ended it.
     */
    FINISHES_IN_TWO_STEPS {
        @Override
        public WorkLease create(int maxRetries, Clock clock, TokenSource tokens) {
            return new ReferenceLease(maxRetries, clock, tokens) {
                @Override
                @SuppressWarnings("UnsynchronizedOverridesSynchronized")
                public SucceedResult succeed(String domainId, String token) {
                    Domain domain;
                    synchronized (this) {
                        domain = leased(domainId, token);
                    }
                    linger();
                    synchronized (this) {
                        if (domain.lease != null) {
                            domain.processed.add(domain.lease.currentOffset());
                        }
                        endLease(domain);
                        Long head = domain.backlog.peekFirst();
                        return head == null ? new SucceedResult.NoBacklog() : new SucceedResult.NextHint(head);
                    }
                }
            };
        }
    },

    /**
     * Whether another offset is leased is checked in one step, and the newcomer enqueued in another: no hint is ever
     * given for it.
     */
    ENQUEUES_IN_TWO_STEPS {
        @Override
        public WorkLease create(int maxRetries, Clock clock, TokenSource tokens) {
            return new ReferenceLease(maxRetries, clock, tokens) {
                @Override
                public AcquireResult tryAcquire(String domainId, long offset) {
                    if (isLeasedElsewhere(domainId, offset)) {
                        linger();
                        synchronized (this) {
                            addToBacklog(known(domainId), offset);
                            return new AcquireResult.Enqueued();
                        }
                    }
                    return super.tryAcquire(domainId, offset);
                }

                private synchronized boolean isLeasedElsewhere(String domainId, long offset) {
                    Domain domain = known(domainId);
                    return domain.lease != null
                            && domain.lease.currentOffset() != offset
                            && !isProcessed(domain, offset)
                            && !isFailed(domain, offset);
                }
            };
        }
    };

    /** Waits in the gap between two steps; otherwise short races would hardly ever meet there. */
    @SuppressWarnings("ThreadPriorityCheck") // lets the other thread in on a machine with one free core
    private static void linger() {
        Thread.yield();
    }
}
