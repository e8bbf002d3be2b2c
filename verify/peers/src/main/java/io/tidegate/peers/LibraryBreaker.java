package io.tidegate.peers;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A breaker of some library. It opens at the first failure, lets one probe through, and closes when that succeeds. It
 * asks {@link Failures} what counts as a failure. Every other setting is the library's default.
 */
interface LibraryBreaker {
    /** How long it stays open: the shortest time that all libraries allow. */
    Duration OPEN_TIME = Duration.ofSeconds(1);

    /** The breaker's state. */
    enum Phase {
        CLOSED,
        OPEN,
        HALF_OPEN
    }

    /** A call under way, which ends when the probe says so. */
    interface Call {
        void succeed();

        void fail(RuntimeException error);
    }

    /** A clock that the breaker reads. */
    interface Clock {
        /** Moves the clock, forward or back. */
        void step(Duration by);

        /** Whether it is the time of day, which may be set back. */
        boolean isWallClock();
    }

    /** Begins a call that stays under way; null if it was refused. */
    @Nullable
    Call begin();

    /** Makes a call from start to end. */
    String execute(Callable<String> call) throws Exception;

    Phase phase();

    /** Returns how many state changes its listener got. */
    int notifications();

    /** Returns the clock that it reads, or null if it takes none. */
    @Nullable
    Clock clock();

    /** Lets the open time pass, and a little more because some libraries need it: by its clock if there is one. */
    default void letOpenTimePass() {
        Duration time = OPEN_TIME.plusMillis(5);
        Clock clock = clock();
        if (clock != null) {
            clock.step(time);
        } else {
            RealTime.letPass(time);
        }
    }

    /** Whether a breaker that opened after {@code start}, by {@link System#nanoTime}, is still open. */
    default boolean isSurelyOpenSince(long start) {
        return clock() != null || System.nanoTime() - start < OPEN_TIME.toNanos();
    }

    /** Whether a call is let through. The call stays under way. */
    default boolean admits() {
        return begin() != null;
    }

    /** Begins a call that must be let through. */
    default Call beginAdmitted() {
        Call call = begin();
        if (call == null) {
            throw new IllegalStateException("refused while " + phase());
        }
        return call;
    }

    /** Returns the exception that reaches the caller of a call that throws. */
    default Exception thrownBy(RuntimeException error) {
        try {
            String returned = execute(() -> {
                throw error;
            });
            throw new IllegalStateException("returned " + returned);
        } catch (Exception thrown) {
            return thrown;
        }
    }

    /** Opens by a call that fails. */
    default void trip() {
        beginAdmitted().fail(new Failures.Plain());
        if (phase() == Phase.CLOSED) {
            throw new IllegalStateException("closed after a failure");
        }
    }

    /** Opens, lets the open time pass, and begins the one probe. */
    default Call tripAndBeginProbe() {
        trip();
        letOpenTimePass();
        Call probe = beginAdmitted();
        if (phase() != Phase.HALF_OPEN) {
            throw new IllegalStateException("not half-open with a probe but " + phase());
        }
        return probe;
    }
}
