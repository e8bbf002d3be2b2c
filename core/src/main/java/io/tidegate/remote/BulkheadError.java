package io.tidegate.remote;

import java.io.Serializable;

/** Why there is no permit, with a stable {@link #code() code}. */
public sealed interface BulkheadError extends Serializable {
    /** The stable code. */
    String code();

    /** The caller does not hold the capability for remote operations. */
    record RemoteCapRequired() implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_NO_REMOTECAP";
        }
    }

    /** Every permit is out, and the policy is to reject. */
    record AtCapacity(int cap, int inFlight) implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_AT_CAPACITY";
        }
    }

    /** The queue is full. */
    record QueueSaturated(int maxDepth) implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_QUEUE_SATURATED";
        }
    }

    /**
     * The request waits; ask again with {@link RemoteBulkhead#pollQueued}.
     *
     * @param requestId the request
     * @param position its position in the queue, from 1
     * @param timeoutMs how long requests may wait in all, by the policy
     */
    record Queued(String requestId, int position, long timeoutMs) implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_QUEUED";
        }
    }

    /** The request waited for too long and left the queue. */
    record QueueTimeout(String requestId) implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_QUEUE_TIMEOUT";
        }
    }

    /** No such request waits. */
    record UnknownRequest(String requestId) implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_UNKNOWN_REQUEST";
        }
    }

    /** The permit belongs to another bulkhead, or was already returned. */
    record UnknownPermit(long permitId) implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_UNKNOWN_PERMIT";
        }
    }

    /**
     * The cap was lowered below what is in flight, or the bulkhead is closed.
     *
     * @param inFlight permits out
     * @param targetCap the cap to get below; 0 when closed
     */
    record Draining(int inFlight, int targetCap) implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_DRAINING";
        }
    }

    /**
     * A process of a cluster holds no lease on a slice of the cap: the engine has not answered yet, or has not
     * answered for too long, or the lease was interrupted after the request was admitted.
     *
     * @param reason why, if known
     */
    record NoLease(String reason) implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_NO_LEASE";
        }
    }

    /** Invalid setting. */
    record InvalidConfig(String reason) implements BulkheadError {
        @Override
        public String code() {
            return "RB_ERR_INVALID_CONFIG";
        }
    }
}
