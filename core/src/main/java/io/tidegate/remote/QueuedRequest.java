package io.tidegate.remote;

import io.tidegate.stage.PendingNotifications;
import org.jspecify.annotations.Nullable;

/** A request in the queue that is notified of its end: once, with nothing held. */
interface QueuedRequest {
    /** The request begins to wait; called under the bulkhead's lock. */
    void queued();

    /** Keeps the permit; called under the bulkhead's lock, before {@link #granted()}. */
    void keep(BulkheadPermit permit);

    /** The permit of {@link #keep}; asked under the bulkhead's lock. */
    @Nullable
    BulkheadPermit kept();

    /** The request is admitted. Returns the notifications that follow if it could not go on. */
    PendingNotifications granted();

    /** The request waited for too long. Returns the notifications that follow. */
    PendingNotifications expired();

    /** The request was taken out of the queue. */
    void cancelled();

    /** There is no permit for the request. */
    void refused(BulkheadError error);
}
