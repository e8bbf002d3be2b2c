package io.tidegate.remote;

import java.util.concurrent.CompletionStage;

/** A request of a client, when it comes. */
interface IncomingRequest<T> extends QueuedRequest {
    /** Starts if it may, with nothing held. What its caller gets. */
    CompletionStage<T> answered(AcquireResult result);
}
