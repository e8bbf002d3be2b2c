package io.tidegate.remote;

import java.util.concurrent.CompletionStage;

/** A new request of a client. */
interface IncomingRequest<T> extends QueuedRequest {
    /**
     * Called with nothing held once the bulkhead has answered: starts the operation if the request was admitted.
     * Returns the stage for the caller.
     */
    CompletionStage<T> answered(AcquireResult result);
}
