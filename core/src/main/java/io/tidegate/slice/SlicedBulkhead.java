package io.tidegate.slice;

import io.tidegate.stage.PendingNotifications;

/**
 * The operations that the keeper of a slice needs of its bulkhead. Each is atomic; pass its notifications to {@link
 * #tell}.
 */
public interface SlicedBulkhead {
    /** What could be used; counting starts over. */
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

    /** How long permits were held recently. */
    long holdMs();

    /** Delivers the notifications of earlier operations, with no lock held. */
    void tell(PendingNotifications told);
}
