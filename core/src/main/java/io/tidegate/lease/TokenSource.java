package io.tidegate.lease;

/**
 * Makes the token of an acquisition. The lease calls it with no lock held, from any thread, and may drop the token; a
 * {@link LeaseRunner} asks the lease under its own lock of the domain, so a source must not call the runner. A token
 * that is null, empty or the domain's previous one is refused: the acquisition throws and nothing has changed.
 */
@FunctionalInterface
public interface TokenSource {
    /**
     * The token of this acquisition.
     *
     * @param fence greater than that of any earlier acquisition of the domain
     */
    String next(String domainId, long offset, long fence);
}
