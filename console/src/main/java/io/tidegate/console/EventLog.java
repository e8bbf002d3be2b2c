package io.tidegate.console;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The last events. Each has a number, so that a frame can contain just those since the frame before. */
final class EventLog {
    /** How many are kept. */
    static final int KEPT = 500;

    private final ArrayDeque<Event> events = new ArrayDeque<>();
    private long next;

    synchronized void add(Event event) {
        if (events.size() == KEPT) {
            events.removeFirst();
        }
        events.addLast(event);
        next++;
    }

    /** Returns the number that the next event will have. */
    synchronized long next() {
        return next;
    }

    /** Returns the events that are still kept, from one number on and before another. */
    synchronized List<Event> between(long from, long to) {
        List<Event> found = new ArrayList<>();
        long number = next - events.size();
        for (Event event : events) {
            if (number >= from && number < to) {
                found.add(event);
            }
            number++;
        }
        return found;
    }
}
