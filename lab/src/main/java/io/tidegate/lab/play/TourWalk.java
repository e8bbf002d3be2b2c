package io.tidegate.lab.play;

import io.tidegate.lab.load.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The course of a tour. Each step stays until the state that its text describes can be seen, and long enough to read
 * the text and to look at the page. If the state does not come, the step ends after a limit. Thread-safe; goes on only
 * when {@link #look} is called.
 */
final class TourWalk {
    /** How long a reader needs for a character, while also looking at the moving page. */
    static final Duration READING = Duration.ofMillis(55);

    /** How long a step stays at least after its state can be seen. */
    static final Duration LOOKING = Duration.ofSeconds(4);

    /** How long a step waits for its state. */
    static final Duration LIMIT = Duration.ofSeconds(25);

    private final Tour tour;
    private final Time time;
    private int step = -1;
    private long since;
    private boolean seen;
    private long seenSince;
    private int missed;
    private boolean stopped;

    TourWalk(Tour tour, Time time) {
        this.tour = tour;
        this.time = time;
    }

    /** Begins the tour, goes on to the next step, or stays. */
    synchronized void look() {
        if (isOver()) {
            return;
        }
        if (step < 0) {
            begin();
            return;
        }
        long now = time.nanos();
        if (!seen && tour.steps().get(step).seen().getAsBoolean()) {
            seen = true;
            seenSince = now;
        }
        long stayed = now - since;
        if (!seen && stayed >= LIMIT.toNanos()) {
            missed++;
            begin();
        } else if (seen && stayed >= reading() && now - seenSince >= LOOKING.toNanos()) {
            begin();
        }
    }

    private long reading() {
        return READING.multipliedBy(tour.steps().get(step).says().length()).toNanos();
    }

    /** Goes on to the next step at once, for a reader who has seen enough. */
    synchronized void next() {
        if (!isOver() && step >= 0) {
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

    /** Whether the tour was stopped, or is at its end. */
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

    /** Returns the text of the present step. */
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
