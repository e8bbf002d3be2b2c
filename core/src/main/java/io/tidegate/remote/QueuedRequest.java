package io.tidegate.remote;

import io.tidegate.stage.PendingNotifications;
import org.jspecify.annotations.Nullable;

/** A request in the queue that is notified of its end: once, with nothing held. */
interface QueuedRequest {
    /** It begins to wait; called under the bulkhead's lock. */
    void queued();

    /** Keeps the permit; called under the bulkhead's lock, before {@link #granted()}. */
    void keep(BulkheadPermit permit);

    /** What was kept; asked under the bulkhead's lock. */
    @Nullable
    BulkheadPermit kept();

    /** It is let in. What must be told because it could not go on. */
    PendingNotifications granted();

    /** It waited for too long. What must be told because of it. */
    PendingNotifications expired();

    /** It was taken out of the queue. */
    void cancelled();

    /** There is no permit for it. */
    void refused(BulkheadError error);
}
