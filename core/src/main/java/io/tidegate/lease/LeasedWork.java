package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A leased offset, as a {@link LeaseTask} gets it. Two are equal if they are of the same attempt. */
public final class LeasedWork {
    private final String domainId;
    private final long offset;
    private final String token;
    private final long fence;
    private final int retryCount;
    private final @Nullable HeldLease heldLease;
    private volatile @Nullable SucceedResult answer;

    /** Work without a lease, for tests of tasks and handlers. */
    public LeasedWork(String domainId, long offset, String token, long fence, int retryCount) {
        this(domainId, offset, token, fence, retryCount, null);
    }

    LeasedWork(String domainId, long offset, String token, long fence, int retryCount, @Nullable HeldLease heldLease) {
        this.domainId = requireNonNull(domainId, "domainId");
        this.offset = offset;
        this.token = requireNonNull(token, "token");
        this.fence = fence;
        this.retryCount = retryCount;
        this.heldLease = heldLease;
    }

    /** The domain, whose work runs in order. */
    public String domainId() {
        return domainId;
    }

    /** The number of this piece of work. */
    public long offset() {
        return offset;
    }

    /** The lease's token. */
    public String token() {
        return token;
    }

    /** Rises with each acquisition of the domain: a resource that remembers the greatest can refuse late writes. */
    public long fence() {
        return fence;
    }

    /** How many attempts at this offset have failed before this one, or were lost with their owner. */
    public int retryCount() {
        return retryCount;
    }

    /**
     * Whether the lease is known to be lost: the offset was taken over or finished elsewhere, and the outcome of this
     * attempt will not count. Never true in memory, where a lease has no end.
     */
    public boolean isLost() {
        return heldLease != null && heldLease.isLost();
    }

    /**
     * For leases that record a success inside the task's own transaction: notes that the success was recorded with
     * this answer. If the attempt returns normally, the transaction has committed, and the runner does not report the
     * success again.
     */
    public void succeedsWith(SucceedResult answered) {
        this.answer = requireNonNull(answered, "answered");
        if (heldLease != null) {
            heldLease.setEnding(true); // after the commit the engine refuses to prolong the lease
        }
    }

    /** Withdraws {@link #succeedsWith}: the transaction has not committed. */
    void withdrawSuccess() {
        answer = null;
        if (heldLease != null) {
            heldLease.setEnding(false);
        }
    }

    /** Returns the answer of the lease to the task's own report; null if there was none. */
    @Nullable
    SucceedResult answer() {
        return answer;
    }

    @Nullable
    HeldLease heldLease() {
        return heldLease;
    }

    LeasedWork heldBy(@Nullable HeldLease holder) {
        return new LeasedWork(domainId, offset, token, fence, retryCount, holder);
    }

    LeasedWork afterFailures(int failures) {
        return new LeasedWork(domainId, offset, token, fence, failures, heldLease);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LeasedWork work
                && offset == work.offset
                && fence == work.fence
                && retryCount == work.retryCount
                && domainId.equals(work.domainId)
                && token.equals(work.token);
    }

    @Override
    public int hashCode() {
        return Objects.hash(domainId, offset, token, fence, retryCount);
    }

    /** Without the token, which is as good as the lease. */
    @Override
    public String toString() {
        return "LeasedWork(" + domainId + ", offset " + offset + ", fence " + fence + ", retry " + retryCount + ")";
    }
}
