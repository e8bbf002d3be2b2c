package io.tidegate.bulkhead;

/** When a submission's permit is given back. */
public enum PermitLifetime {
    /**
     * The permit is free when the returned future has ended, in whichever way. A caller that cancels or times out the
     * returned future frees its permit at once, <em>while the operation behind it may still run</em>.
     */
    RETURNED_STAGE,

    /**
     * The permit is free when the operation itself ends. Cancelling or timing out the returned future leaves it held,
     * so that the limit bounds real work.
     */
    OPERATION
}
