package io.tidegate.slice;

/**
 * What a bulkhead could use.
 *
 * @param slice the bulkhead's cap
 * @param arrivals how many requests have come to wait so far
 * @param closed whether new requests are refused permanently
 * @param peak the most that was in flight and waiting since the last demand was taken
 * @param turnedAway requests refused since then for lack of a permit
 */
public record Demand(int slice, int inFlight, int waiting, long arrivals, boolean closed, int peak, int turnedAway) {
    /** Whether there will be no further demand. */
    public boolean isOver() {
        return closed && inFlight == 0 && waiting == 0;
    }
}
