package io.tidegate.lease;

/** Stores work that has failed permanently, for people to review. */
@FunctionalInterface
public interface ParkingHandler {
    /**
     * The last attempt failed and the lease has given the offset up. The next offset of the domain begins when this has
     * returned. What it throws goes to the listener and changes nothing; it is not called again for the same failure.
     *
     * @param error what the last attempt ended with
     */
    void park(LeasedWork work, Throwable error);
}
