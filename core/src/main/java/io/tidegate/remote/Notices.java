package io.tidegate.remote;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * What an operation of the bulkhead has left to tell, outside the lock. Turns only hand something to an executor, and come
 * first. Ends run what users have registered; whoever has an end of its own to show does that before.
 *
 * @param turns each answers with what must be told because of it, if the executor has refused
 */
record Notices(Queue<Supplier<Notices>> turns, Queue<Runnable> ends) {
    static final Notices NONE = new Notices();

    Notices() {
        this(new ArrayDeque<>(0), new ArrayDeque<>(0));
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
