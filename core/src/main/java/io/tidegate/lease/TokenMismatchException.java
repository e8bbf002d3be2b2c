package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.io.Serial;

/**
 * An offset was to be finished with a token that is not its lease's: it has another holder by now. The live token is
 * not revealed.
 */
public final class TokenMismatchException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1L;

    public TokenMismatchException(String domainId) {
        super("Token mismatch: the lease of domain " + requireNonNull(domainId, "domainId") + " has another token");
    }
}
