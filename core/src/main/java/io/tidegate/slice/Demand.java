package io.tidegate.slice;

/**
 * What a bulkhead needs of the larger cap, as its keeper claims it.
 *
 * @param slice the bulkhead's cap
 * @param arrivals how many requests have come to wait so far
 * @param closed whether new requests are refused permanently
 * @param peak the most that was in flight and waiting since the last demand was taken
 * @param turnedAway requests refused since then for lack of a permit
 */
public record Demand(int slice, int inFlight, int waiting, long arrivals, boolean closed, int peak, int turnedAway) {
    /** Returns whether the bulkhead needs nothing any more, and never will. */
    public boolean isOver() {
        return closed && inFlight == 0 && waiting == 0;
    }
}
