package io.tidegate.remote;

/**
 * The right to one remote operation in flight, given once and returned once. Only a bulkhead can make one, and it takes
 * back only its own. Immutable for its holder, safe to pass between threads.
 */
public final class BulkheadPermit {
    private final Admission issuer;
    private final long permitId;
    private final long issuedAtMs;
    private final int capSnapshot;
    private boolean out = true; // guarded by the bulkhead's lock

    BulkheadPermit(Admission issuer, long permitId, long issuedAtMs, int capSnapshot) {
        this.issuer = issuer;
        this.permitId = permitId;
        this.issuedAtMs = issuedAtMs;
        this.capSnapshot = capSnapshot;
    }

    /** From 1, rising by one with each permit of its bulkhead. */
    public long permitId() {
        return permitId;
    }

    /** The time given with the call that was granted. */
    public long issuedAtMs() {
        return issuedAtMs;
    }

    /** The cap at that moment. */
    public int capSnapshot() {
        return capSnapshot;
    }

    /** Takes the permit back. Returns whether this bulkhead issued it and it was still out. */
    boolean takeBack(Admission bulkhead) {
        if (issuer != bulkhead || !out) {
            return false;
        }
        out = false;
        return true;
    }

    @Override
    public String toString() {
        return "BulkheadPermit(" + permitId + ", issued at " + issuedAtMs + " ms under a cap of " + capSnapshot + ")";
    }
}
