package io.tidegate.remote;

import io.tidegate.stage.PendingNotifications;
import org.jspecify.annotations.Nullable;

/** A request in the queue that is notified of its end: once, with nothing held. */
interface QueuedRequest {
    /** The request begins to wait; called under the bulkhead's lock. */
    void queued();

    /** Stores the permit; called under the bulkhead's lock, before {@link #granted()}. */
    void keep(BulkheadPermit permit);

    /** Returns the permit of {@link #keep}; called under the bulkhead's lock. */
    @Nullable
    BulkheadPermit kept();

    /** The request is admitted. Returns further notifications if its operation could not be handed over. */
    PendingNotifications granted();

    /** The request waited for too long. Returns further notifications. */
    PendingNotifications expired();

    /** The request was taken out of the queue. */
    void cancelled();

    /** There is no permit for the request. */
    void refused(BulkheadError error);
}
