package io.tidegate.breaker.lincheck;

import io.tidegate.breaker.State;
import java.util.List;

/** The answers of {@link Calls} and {@link TimedCalls} if one thread does one operation after the other. */
public final class CallsSpecification implements Callers {
    /*
     * A correct breaker is linearizable to this specification, because each of its steps takes effect at one instant.
     * A call begins at the read of the period that admits or refuses it, or when it takes its slot. An outcome that
     * changes the period takes effect when the period is replaced, any other outcome when it is counted.
     *
     * The contract does not promise a single instant for some things. The subject hides these:
     *
     * The listener is called after the change. atRest waits until no thread is about to call it, and then checks that
     * it was called once (CB-11).
     *
     * The counts are read one after the other. The contract promises only that they do not contradict each other at any
     * time (CB-13), which each read of the state checks. At rest they must be right (CB-12).
     *
     * Runs of failures are left out, because a success and a failure that end at the same time may leave neither. So
     * the breaker trips on its number of failures, not on a run of them.
     *
     * The time of opening is read before the period is replaced, as in any breaker whose clock is injected. So no time
     * may pass between the two: tick waits for failures under way, and for nothing else.
     *
     * No call stays longer than the probe deadline: while a slot moves from one call to another, a third caller may be
     * refused.
     */
    private static final int NONE = -1;

    private final Setting setting = Setting.current;
    private final int[] admittedIn = {NONE, NONE, NONE};
    private State state = State.CLOSED;
    private int generation;
    private boolean timeIsOver;

    // Calls of the present generation.
    private int running;
    private int successes;
    private int failures;

    public CallsSpecification() {
        setting.start().play(this);
    }

    @Override
    public boolean begin(int caller) {
        if (admittedIn[caller] != NONE) {
            return false;
        }
        if (state == State.OPEN && timeIsOver) {
            change(State.HALF_OPEN);
        }
        if (state == State.OPEN || (state == State.HALF_OPEN && running == setting.maxRequests())) {
            return false;
        }
        running++;
        admittedIn[caller] = generation;
        return true;
    }

    @Override
    public boolean succeed(int caller) {
        if (admittedIn[caller] == NONE) {
            return false;
        }
        if (end(caller)) {
            successes++;
            if (state == State.HALF_OPEN && successes == setting.successesToClose()) {
                change(State.CLOSED);
            }
        }
        return true;
    }

    @Override
    public boolean fail(int caller) {
        if (admittedIn[caller] == NONE) {
            return false;
        }
        if (end(caller)) {
            failures++;
            if (state == State.HALF_OPEN || failures == setting.failuresToTrip()) {
                change(State.OPEN);
            }
        }
        return true;
    }

    /** Returns whether the outcome counts: it does in the generation that admitted the call. */
    private boolean end(int caller) {
        boolean counts = admittedIn[caller] == generation;
        admittedIn[caller] = NONE;
        running -= counts ? 1 : 0;
        return counts;
    }

    private void change(State to) {
        state = to;
        generation++;
        timeIsOver = false;
        running = 0;
        successes = 0;
        failures = 0;
    }

    @Override
    public void tick() {
        timeIsOver = true;
    }

    public State state() {
        return state;
    }

    public List<Long> atRest() {
        return List.of((long) generation, (long) running + successes + failures, (long) successes, (long) failures);
    }
}
