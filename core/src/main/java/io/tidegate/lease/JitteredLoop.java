package io.tidegate.lease;

import io.tidegate.time.Nanos;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Repeats an action at intervals. Each interval is shortened at random, so that processes do not act at the same time.
 */
final class JitteredLoop {
    private static final int JITTER = 10;

    private final RunnerClock clock;
    private final long everyMillis;
    private final Runnable round;
    private volatile boolean over;

    JitteredLoop(RunnerClock clock, Duration every, Runnable round) {
        this.clock = clock;
        this.everyMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(Nanos.of(every)));
        this.round = round;
    }

    long everyMillis() {
        return everyMillis;
    }

    void begin() {
        // shorter intervals only: the action never comes later than asked for
        long early = clock.random(everyMillis / JITTER + 1);
        clock.later(this::goRound, everyMillis - early);
    }

    private void goRound() {
        if (!over) {
            begin(); // first, so that the loop goes on even if this round fails
            round.run();
        }
    }

    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }
}
