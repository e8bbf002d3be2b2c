package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * Gives back leases whose work has not begun. A lease that is not given back costs its offset a retry when it ends, so
 * an engine that could not be reached is called again; a runner that stops waits for that.
 */
final class LeaseReleases {
    private static final int MOST_ATTEMPTS = 4;
    private static final long PAUSE_MILLIS = 500;

    private final @Nullable SharedWorkLease shared;
    private final RunnerClock clock;
    private final StopGate gate;
    private final RunnerEvents events;

    LeaseReleases(@Nullable SharedWorkLease shared, RunnerClock clock, StopGate gate, RunnerEvents events) {
        this.shared = shared;
        this.clock = clock;
        this.gate = gate;
        this.events = events;
    }

    void release(@Nullable HeldLease held) {
        if (held != null) {
            release(held, 1);
        }
    }

    @SuppressWarnings("EmptyCatch") // another process has the lease, so nothing is left to give back
    private void release(HeldLease held, int attempt) {
        try {
            requireNonNull(shared).release(held.domainId, held.token);
        } catch (TokenMismatchException | LeaseNotFoundException lost) {
            // nothing is left to give back
        } catch (Throwable away) {
            events.error(held.domainId, away);
            if (attempt < MOST_ATTEMPTS) {
                gate.enterToo();
                clock.later(() -> releaseAgain(held, attempt + 1), PAUSE_MILLIS);
            }
        }
    }

    private void releaseAgain(HeldLease held, int attempt) {
        try {
            release(held, attempt);
        } finally {
            gate.leave();
        }
    }
}
