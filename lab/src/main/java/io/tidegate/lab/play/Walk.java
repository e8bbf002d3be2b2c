package io.tidegate.lab.play;

import io.tidegate.lab.load.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A tour as it is walked. Each step stays for as long as it takes to read it and until what it says is to be seen, but no
 * longer than a limit. Thread-safe; moves only when it is told to look.
 */
final class Walk {
    /** How long a step stays at least. */
    static final Duration READING = Duration.ofSeconds(7);

    /** How long it waits for what it says. */
    static final Duration LIMIT = Duration.ofSeconds(25);

    private final Tour tour;
    private final Time time;
    private int step = -1;
    private long since;
    private boolean seen;
    private int missed;
    private boolean stopped;

    Walk(Tour tour, Time time) {
        this.tour = tour;
        this.time = time;
    }

    /** Begins, goes on to the next step, or stays. */
    synchronized void look() {
        if (isOver()) {
            return;
        }
        if (step < 0) {
            begin();
            return;
        }
        seen |= tour.steps().get(step).seen().getAsBoolean();
        long stayed = time.nanos() - since;
        if (seen ? stayed >= READING.toNanos() : stayed >= LIMIT.toNanos()) {
            missed += seen ? 0 : 1;
            begin();
        }
    }

    private void begin() {
        step++;
        since = time.nanos();
        seen = false;
        if (!isOver()) {
            tour.steps().get(step).does().run();
        }
    }

    synchronized void stop() {
        stopped = true;
    }

    /** Whether it was stopped, or is at its end. */
    synchronized boolean isOver() {
        return stopped || step >= tour.steps().size();
    }

    synchronized Map<String, Object> state() {
        Map<String, Object> state = new LinkedHashMap<>();
        state.put("name", tour.name());
        state.put("title", tour.title());
        state.put("steps", tour.steps().size());
        state.put("step", Math.min(step + 1, tour.steps().size()));
        state.put("over", isOver());
        state.put("seen", seen);
        state.put("missed", missed);
        state.put("says", says());
        return state;
    }

    /** What it says now. */
    synchronized String says() {
        return isOver() ? ending() : step < 0 ? "" : tour.steps().get(step).says();
    }

    private String ending() {
        if (stopped) {
            return "The tour was stopped. Everything stays as it is: go on with your own hands.";
        }
        return missed == 0
                ? "That was the tour. Everything stays as it is: go on with your own hands."
                : "That was the tour. Not everything was to be seen in time: this machine may be busy.";
    }
}
