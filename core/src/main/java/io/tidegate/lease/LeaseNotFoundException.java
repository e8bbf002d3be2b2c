package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.io.Serial;

/** An offset was to be finished in a domain that has no lease. */
public final class LeaseNotFoundException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    public LeaseNotFoundException(String domainId) {
        super("No lease: nothing is leased in domain " + requireNonNull(domainId, "domainId"));
    }
}
