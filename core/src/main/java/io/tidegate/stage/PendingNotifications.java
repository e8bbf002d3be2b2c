package io.tidegate.stage;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * What a step has left to tell when nothing is held any more. Handovers only hand something over to who goes on with
 * it, and come first. Ends run what users have registered; whoever has an operation to start or an end of its own to
 * show does that before.
 *
 * @param handovers each answers with what must be told because of it, if it could not be handed over
 */
public record PendingNotifications(Queue<Supplier<PendingNotifications>> handovers, Queue<Runnable> ends) {
    /** Nothing. */
    public static final PendingNotifications NONE = new PendingNotifications();

    /** To be filled. */
    public PendingNotifications() {
        this(new ArrayDeque<>(0), new ArrayDeque<>(0));
    }

    /** One end. */
    public static PendingNotifications ofEnd(Runnable end) {
        PendingNotifications told = new PendingNotifications();
        told.ends.add(end);
        return told;
    }

    /**
     * One after the other, also those that come of it: an executor that refuses all would need a deep stack otherwise.
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

    /** What users have registered. */
    public void tellEnds() {
        for (Runnable end = ends.peek(); end != null; end = ends.peek()) {
            end.run();
            ends.remove();
        }
    }

    /** These, too. */
    public void add(PendingNotifications more) {
        handovers.addAll(more.handovers);
        ends.addAll(more.ends);
    }
}
