package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

/** A permit, or why there is none. */
public sealed interface AcquireResult {
    /**
     * The permit.
     *
     * @throws BulkheadException when refused, queued included. A result does not know its bulkhead, so the source is
     *     {@value RemoteBulkhead#DEFAULT_NAME}; to name the bulkhead, throw an exception with {@link Refused#error()}
     *     and its name
     */
    BulkheadPermit orElseThrow();

    /**
     * Whether the request waits in the queue: neither granted nor rejected. Ask again with {@link
     * RemoteBulkhead#pollQueued}.
     */
    default boolean isQueued() {
        return this instanceof Refused refused && refused.error() instanceof BulkheadError.Queued;
    }

    /** The request may go ahead; {@link RemoteBulkhead#release} the permit when it is over. */
    record Granted(BulkheadPermit permit) implements AcquireResult {
        public Granted {
            requireNonNull(permit, "permit");
        }

        @Override
        public BulkheadPermit orElseThrow() {
            return permit;
        }
    }

    /** The request may not go ahead, or not yet. */
    record Refused(BulkheadError error) implements AcquireResult {
        public Refused {
            requireNonNull(error, "error");
        }

        @Override
        public BulkheadPermit orElseThrow() {
            throw new BulkheadException(error);
        }
    }
}
