package io.tidegate.breaker.lincheck;

import io.tidegate.breaker.State;
import java.util.List;

/** What {@link Calls} and {@link TimedCalls} answer when one thread does one thing after the other. */
public final class CallsSpecification implements Callers {
    /*
     * A right breaker is linearizable to this, since each of its steps takes effect at one instant: a call that begins
     * at the read of the period that admits or refuses it, or at the take of its slot; an outcome that decides at the
     * replacement of the period; any other one when it is counted. Some things the contract does not promise to be one
     * instant, and the subject lets nobody see them there:
     *
     *   The listener is told after the change. atRest waits until no thread is about to tell it, and then checks that
     *   it was told once (CB-11).
     *
     *   The counts are read one after the other. The contract promises of them at any time only that they do not
     *   contradict each other (CB-13), which each read of the state checks. At rest they must be right (CB-12). Runs of
     *   failures are left out, because a success and a failure that end together may leave neither. So the breaker
     *   trips on its failures, not on a run of them.
     *
     *   The time of opening is read before the period is replaced, as in any breaker whose clock is injected. So time
     *   does not pass between the two: tick waits for failures under way, and for nothing else.
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

    // Of the present generation.
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
