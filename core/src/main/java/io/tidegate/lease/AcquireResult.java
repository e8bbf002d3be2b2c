package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

/** The answer to {@link WorkLease#tryAcquire}. */
public sealed interface AcquireResult {
    /** The stable code of the answer. */
    String code();

    /**
     * The caller holds the lease of the offset and may work on it.
     *
     * @param token to be given to {@link WorkLease#succeed} or {@link WorkLease#fail}
     * @param fence rises with each acquisition of the domain: a resource that remembers the greatest can refuse late
     *     writes
     * @param retryCount how many attempts at the offset have failed before, or were lost with their owner
     */
    record Acquired(String token, long fence, int retryCount) implements AcquireResult {
        public Acquired {
            requireNonNull(token, "token");
        }

        /** At the first attempt. */
        public Acquired(String token, long fence) {
            this(token, fence, 0);
        }

        @Override
        public String code() {
            return "ACQUIRED";
        }

        /** Without the token, which is as good as the lease. */
        @Override
        public String toString() {
            return "Acquired(fence " + fence + ")";
        }
    }

    /**
     * The offset is leased already, with this token.
     *
     * @param retryCount how many attempts at the offset have failed before, or were lost with their owner
     */
    record AlreadyAcquired(String token, long fence, int retryCount) implements AcquireResult {
        public AlreadyAcquired {
            requireNonNull(token, "token");
        }

        /** At the first attempt. */
        public AlreadyAcquired(String token, long fence) {
            this(token, fence, 0);
        }

        @Override
        public String code() {
            return "ALREADY_ACQUIRED";
        }

        /** Without the token, which is as good as the lease. */
        @Override
        public String toString() {
            return "AlreadyAcquired(fence " + fence + ")";
        }
    }

    /** Another offset is leased; this one is in the backlog, since now or since its first offer. */
    record Enqueued() implements AcquireResult {
        @Override
        public String code() {
            return "ENQUEUED";
        }
    }

    /** The offset succeeded once, or was forgotten. */
    record AlreadyProcessed() implements AcquireResult {
        @Override
        public String code() {
            return "ALREADY_PROCESSED";
        }
    }

    /** The offset failed permanently; {@link WorkLease#replay} makes it new work. */
    record AlreadyFailed() implements AcquireResult {
        @Override
        public String code() {
            return "ALREADY_FAILED";
        }
    }

    /**
     * Another owner has leased the offset. Never in memory, where leases have no owner.
     *
     * @param untilMillis when the lease ends unless it is prolonged, by the engine's clock
     */
    record HeldElsewhere(String owner, long untilMillis) implements AcquireResult {
        public HeldElsewhere {
            requireNonNull(owner, "owner");
        }

        @Override
        public String code() {
            return "HELD_ELSEWHERE";
        }
    }
}
