package io.tidegate.slice;

import io.tidegate.stage.PendingNotifications;

/**
 * What the keeper of a slice asks of the bulkhead that admits on it. Each is one step; what comes of it is to be told.
 */
public interface SlicedBulkhead {
    /** What could be used; counting begins anew. */
    Demand demand();

    /** Admits on this slice, which may be 0, until then. */
    PendingNotifications renew(int slice, long untilMs, long nowMs);

    /** Goes on with this slice, which may be 0. */
    PendingNotifications resize(int slice, long nowMs);

    /**
     * Refuses all that waited when this demand was taken.
     *
     * @param cap of which all permits are out; 0 if the engine did not answer, so that there is no lease for them
     */
    PendingNotifications turnAway(Demand asked, int cap, long nowMs);

    /** How long permits are held, of late. */
    long holdMs();

    /** Tells what steps have left to tell. With nothing held. */
    void tell(PendingNotifications told);
}
