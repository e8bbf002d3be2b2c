package io.tidegate.remote;

/**
 * What a bulkhead could use.
 *
 * @param limit its cap
 * @param peak the most that was in flight and waiting since it was last asked
 * @param turnedAway requests refused since for want of room
 */
record Demand(int limit, int inFlight, int waiting, int peak, int turnedAway) {
    boolean isNone() {
        return inFlight == 0 && waiting == 0;
    }
}
