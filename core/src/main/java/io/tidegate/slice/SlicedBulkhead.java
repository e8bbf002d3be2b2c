package io.tidegate.slice;

import io.tidegate.stage.PendingNotifications;

/**
 * The operations that the keeper of a slice needs of its bulkhead. Each is atomic; pass its notifications to {@link
 * #tell}.
 */
public interface SlicedBulkhead {
    /** Returns what the bulkhead needs; counting starts over. */
    Demand demand();

    /** Admits requests within this slice, which may be 0, until that time. */
    PendingNotifications renew(int slice, long untilMs, long nowMs);

    /** Continues with this slice, which may be 0. */
    PendingNotifications resize(int slice, long nowMs);

    /**
     * Refuses all requests that waited when this demand was taken.
     *
     * @param cap the cap of all processes, of which all permits are out; 0 if the engine did not answer, so that there
     *     is no lease for the requests
     */
    PendingNotifications turnAway(Demand asked, int cap, long nowMs);

    /** Returns how long requests held their permits recently. */
    long holdMs();

    /** Delivers the notifications of earlier operations, with no lock held. */
    void tell(PendingNotifications told);
}
