package io.tidegate.remote;

/**
 * What a bulkhead could use.
 *
 * @param limit its cap
 * @param arrivals how many have come to wait so far
 * @param closing whether nobody new is admitted
 * @param peak the most that was in flight and waiting since it was last asked
 * @param turnedAway requests refused since for want of room
 */
record Demand(int limit, int inFlight, int waiting, long arrivals, boolean closing, int peak, int turnedAway) {
    /** Whether there will be none any more. */
    boolean isOver() {
        return closing && inFlight == 0 && waiting == 0;
    }
}
