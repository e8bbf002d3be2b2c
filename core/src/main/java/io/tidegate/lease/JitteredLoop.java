package io.tidegate.lease;

import io.tidegate.time.Nanos;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Does something again and again, each time a little earlier by chance, so that processes do not do it together. */
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
        // never later than it was asked for
        long early = pace.random(everyMillis / JITTER + 1);
        pace.later(this::goRound, everyMillis - early);
    }

    private void goRound() {
        if (!over) {
            begin(); // whatever becomes of this one
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
