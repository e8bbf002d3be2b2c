package io.tidegate.remote;

import java.util.concurrent.CompletionStage;

/** A new request of a client. */
interface IncomingRequest<T> extends QueuedRequest {
    /** Starts the operation if the request was admitted, with nothing held. Returns what the caller gets. */
    CompletionStage<T> answered(AcquireResult result);
}
