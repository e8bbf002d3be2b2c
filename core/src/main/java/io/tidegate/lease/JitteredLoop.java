package io.tidegate.lease;

import io.tidegate.time.Nanos;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Repeats an action at intervals that are shortened at random, so that processes do not act at the same time. */
final class JitteredLoop {
    private static final int JITTER = 10;

    private final RunnerClock pace;
    private final long everyMillis;
    private final Runnable round;
    private volatile boolean over;

    JitteredLoop(RunnerClock pace, Duration every, Runnable round) {
        this.pace = pace;
        this.everyMillis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(Nanos.of(every)));
        this.round = round;
    }

    long everyMillis() {
        return everyMillis;
    }

    void begin() {
        // never later than asked for
        long early = pace.random(everyMillis / JITTER + 1);
        pace.later(this::goRound, everyMillis - early);
    }

    private void goRound() {
        if (!over) {
            begin(); // even if this one fails
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
