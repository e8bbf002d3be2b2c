package io.tidegate.stage;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * Notifications that an operation leaves for the time when no lock is held. Handovers only pass something on, and come
 * first. Ends run what users have registered; a thread that has an operation to start or its own future to end does
 * that before it runs them.
 *
 * @param handovers each returns further notifications if it could not hand over
 */
public record PendingNotifications(Queue<Supplier<PendingNotifications>> handovers, Queue<Runnable> ends) {
    /** No notifications. */
    public static final PendingNotifications NONE = new PendingNotifications();

    /** Makes an empty one, to be filled. */
    public PendingNotifications() {
        this(new ArrayDeque<>(0), new ArrayDeque<>(0));
    }

    /** Makes one with one end. */
    public static PendingNotifications ofEnd(Runnable end) {
        PendingNotifications told = new PendingNotifications();
        told.ends.add(end);
        return told;
    }

    /**
     * Runs the handovers one after the other, and those that follow from them. Nested runs would need a deep stack
     * where an executor refuses all of them.
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

    /** Runs what users have registered. */
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
