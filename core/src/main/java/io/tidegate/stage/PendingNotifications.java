package io.tidegate.stage;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Notifications that an operation leaves for the time when no lock is held. Handovers come first, and only pass
 * requests on, for example to an executor. Ends run what users have registered; a thread that has an operation to start
 * or its own future to end does that before it runs the ends.
 *
 * @param handovers each returns further notifications if it could not hand over
 */
public record PendingNotifications(Queue<Supplier<PendingNotifications>> handovers, Queue<Runnable> ends) {
    /** No notifications. */
    public static final PendingNotifications NONE = new PendingNotifications();

    /** Makes an empty collection, to be filled. */
    public PendingNotifications() {
        this(new ArrayDeque<>(0), new ArrayDeque<>(0));
    }

    /** Returns a collection with one end. */
    public static PendingNotifications ofEnd(Runnable end) {
        PendingNotifications single = new PendingNotifications();
        single.ends.add(end);
        return single;
    }

    /**
     * Runs the handovers one after the other, including those that follow from them. Nested runs would need a deep
     * stack if an executor refuses all of them.
     */
    public void handOver() {
        for (Supplier<PendingNotifications> handover = handovers.peek();
                handover != null;
                handover = handovers.peek()) {
            PendingNotifications more = handover.get();
            handovers.remove();
            add(more);
        }
    }

    /** Runs the ends. */
    public void tellEnds() {
        for (Runnable end = ends.peek(); end != null; end = ends.peek()) {
            end.run();
            ends.remove();
        }
    }

    /** Adds all of {@code more}. */
    public void add(PendingNotifications more) {
        handovers.addAll(more.handovers);
        ends.addAll(more.ends);
    }
}
