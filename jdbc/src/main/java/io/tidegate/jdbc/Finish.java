package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

/** A lease that is to end together with others. */
public record Finish(String domainId, String token) {
    public Finish {
        Names.requireDomain(domainId);
        requireNonNull(token, "token");
    }

    /** Without the token, which is as good as the lease. */
    @Override
    public String toString() {
        return "Finish(" + domainId + ")";
    }
}
