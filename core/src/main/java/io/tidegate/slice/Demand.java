package io.tidegate.slice;

/**
 * What a bulkhead could use.
 *
 * @param slice its cap
 * @param arrivals how many have come to wait so far
 * @param closed whether newcomers are refused for good
 * @param peak the most that was in flight and waiting since it was last asked
 * @param turnedAway requests refused since for want of room
 */
public record Demand(int slice, int inFlight, int waiting, long arrivals, boolean closed, int peak, int turnedAway) {
    /** Whether there will be none any more. */
    public boolean isOver() {
        return closed && inFlight == 0 && waiting == 0;
    }
}
