package io.tidegate.remote.broken;

import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadPermit;
import io.tidegate.remote.ReferenceBulkhead;
import io.tidegate.remote.RemoteBulkhead;
import java.util.List;
import java.util.function.Consumer;

/** The reference, with one fault each that bulkheads with a queue and a drain often have. */
public enum BrokenRemoteBulkhead implements RemoteBulkheadFactory {
    /** A newcomer takes a free permit although another request waits for it. */
    NEWCOMER_OVERTAKES {
        @Override
        public RemoteBulkhead create(ReferenceBulkhead.Settings settings, Consumer<? super BulkheadEvent> sink) {
            return new ReferenceBulkhead(settings, sink) {
                @Override
                protected boolean mustQueueBehind(List<Waiting> queue) {
                    return false;
                }
            };
        }
    },

    /** A waiter keeps its place when its time is up. */
    EXPIRED_STAYS {
        @Override
        public RemoteBulkhead create(ReferenceBulkhead.Settings settings, Consumer<? super BulkheadEvent> sink) {
            return new ReferenceBulkhead(settings, sink) {
                @Override
                protected boolean hasExpired(Waiting waiting, long nowMs, long timeoutMs) {
                    return false;
                }
            };
        }
    },

    /** A waiter expires after its time-out, not at it. */
    EXPIRES_LATE {
        @Override
        public RemoteBulkhead create(ReferenceBulkhead.Settings settings, Consumer<? super BulkheadEvent> sink) {
            return new ReferenceBulkhead(settings, sink) {
                @Override
                protected boolean hasExpired(Waiting waiting, long nowMs, long timeoutMs) {
                    return nowMs > waiting.since() && nowMs - waiting.since() > timeoutMs;
                }
            };
        }
    },

    /** Draining ends at the target. */
    DRAINS_TO_THE_TARGET {
        @Override
        public RemoteBulkhead create(ReferenceBulkhead.Settings settings, Consumer<? super BulkheadEvent> sink) {
            return new ReferenceBulkhead(settings, sink) {
                @Override
                protected boolean endsDraining(int inFlight, int target) {
                    return inFlight <= target;
                }
            };
        }
    },

    /** A cap that equals what is in flight starts draining. */
    DRAINS_WHEN_EQUAL {
        @Override
        public RemoteBulkhead create(ReferenceBulkhead.Settings settings, Consumer<? super BulkheadEvent> sink) {
            return new ReferenceBulkhead(settings, sink) {
                @Override
                protected boolean startsDraining(int inFlight, int newCap) {
                    return inFlight >= newCap;
                }
            };
        }
    },

    /** A permit that comes back twice counts twice. */
    RELEASE_COUNTS_TWICE {
        @Override
        public RemoteBulkhead create(ReferenceBulkhead.Settings settings, Consumer<? super BulkheadEvent> sink) {
            return new ReferenceBulkhead(settings, sink) {
                @Override
                protected boolean mayComeBack(BulkheadPermit permit, List<BulkheadPermit> out) {
                    return true;
                }
            };
        }
    }
}
