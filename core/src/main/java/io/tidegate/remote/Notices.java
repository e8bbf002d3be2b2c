package io.tidegate.remote;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * What an operation of the bulkhead has left to tell, outside the lock. Turns, also those that came too late, only hand
 * something over, and come first. Ends run what users have registered; whoever has an operation to start or an end of its
 * own to show does that before.
 *
 * @param turns each answers with what must be told because of it, if it could not be handed over
 */
record Notices(Queue<Supplier<Notices>> turns, Queue<Runnable> ends) {
    static final Notices NONE = new Notices();

    Notices() {
        this(new ArrayDeque<>(0), new ArrayDeque<>(0));
    }

    static Notices ofEnd(Runnable end) {
        Notices told = new Notices();
        told.ends.add(end);
        return told;
    }

    /** One after the other, also those that come of it: an executor that refuses all would need a deep stack otherwise. */
    void tellTurns() {
        for (Supplier<Notices> turn = turns.peek(); turn != null; turn = turns.peek()) {
            Notices more = turn.get();
            turns.remove();
            add(more);
        }
    }

    void tellEnds() {
        for (Runnable end = ends.peek(); end != null; end = ends.peek()) {
            end.run();
            ends.remove();
        }
    }

    void add(Notices more) {
        turns.addAll(more.turns);
        ends.addAll(more.ends);
    }
}
