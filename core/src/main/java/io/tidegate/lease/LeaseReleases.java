package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Gives back leases whose work has not begun. A lease that is not given back costs its offset a retry when it ends, so
 * an engine that is unreachable is asked again; a runner that stops waits for that.
 */
final class LeaseReleases {
    private static final int MOST_ATTEMPTS = 4;
    private static final long PAUSE_MILLIS = 500;

    private final @Nullable SharedWorkLease shared;
    private final RunnerClock pace;
    private final StopGate gate;
    private final RunnerEvents news;

    LeaseReleases(@Nullable SharedWorkLease shared, RunnerClock pace, StopGate gate, RunnerEvents news) {
        this.shared = shared;
        this.pace = pace;
        this.gate = gate;
        this.news = news;
    }

    void release(@Nullable LeaseRenewal held) {
        if (held != null) {
            release(held, 1);
        }
    }

    @SuppressWarnings("EmptyCatch") // another process has the lease: nothing is left to release
    private void release(LeaseRenewal held, int attempt) {
        try {
            requireNonNull(shared).release(held.domainId, held.token);
        } catch (TokenMismatchException | LeaseNotFoundException lost) {
            // see above
        } catch (Throwable away) {
            news.error(held.domainId, away);
            if (attempt < MOST_ATTEMPTS) {
                gate.enterToo();
                pace.later(() -> releaseAgain(held, attempt + 1), PAUSE_MILLIS);
            }
        }
    }

    private void releaseAgain(LeaseRenewal held, int attempt) {
        try {
            release(held, attempt);
        } finally {
            gate.leave();
        }
    }
}
