package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

/** A permit, or why there is none. */
public sealed interface AcquireResult {
    /**
     * The permit.
     *
     * @throws BulkheadException when refused, queued included. A result does not know its bulkhead, so the source is
     *     {@value RemoteBulkhead#DEFAULT_NAME}: see {@link #orElseThrow(String)}
     */
    BulkheadPermit orElseThrow();

    /**
     * The permit.
     *
     * @param source the name of the bulkhead that was asked, {@link RemoteBulkhead#name()}
     * @throws BulkheadException of that source, when refused, queued included
     */
    BulkheadPermit orElseThrow(String source);

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

        @Override
        public BulkheadPermit orElseThrow(String source) {
            requireNonNull(source, "source");
            return permit;
        }
    }

    /** The request must not go ahead, or not yet. */
    record Refused(BulkheadError error) implements AcquireResult {
        public Refused {
            requireNonNull(error, "error");
        }

        @Override
        public BulkheadPermit orElseThrow() {
            return orElseThrow(RemoteBulkhead.DEFAULT_NAME);
        }

        @Override
        public BulkheadPermit orElseThrow(String source) {
            throw new BulkheadException(error, requireNonNull(source, "source"));
        }
    }
}
