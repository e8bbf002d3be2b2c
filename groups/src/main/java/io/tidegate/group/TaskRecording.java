package io.tidegate.group;

import io.tidegate.measure.Ends;
import io.tidegate.measure.FlightEvents;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a flight recording is told of the tasks of an executor, if it wants to hear of waits and holds. */
final class TaskRecording {
    /*
     * Beside the tasks and not in them: a field would make each of a million that wait greater, and nobody records most
     * of the time. An event that was begun is taken out again whatever the recording wants by then.
     */
    private final String kind;
    private final String source;
    private final Map<Task<?>, FlightEvents.WaitEvent> waits = new ConcurrentHashMap<>();
    private final Map<Task<?>, FlightEvents.HoldEvent> holds = new ConcurrentHashMap<>();

    TaskRecording(String kind, String source) {
        this.kind = kind;
        this.source = source;
    }

    /** The task is about to be let in, or to wait: {@link #waitEnds} or {@link #waitsNot} must follow. */
    void mayWait(Task<?> task) {
        FlightEvents.WaitEvent event = FlightEvents.wait(kind, source);
        if (event != null) {
            waits.put(task, event);
        }
    }

    void waitsNot(Task<?> task) {
        if (!waits.isEmpty()) {
            waits.remove(task);
        }
    }

    /** For a task that waited, or did not. */
    void waitEnds(Task<?> task) {
        if (!waits.isEmpty()) {
            FlightEvents.waited(waits.remove(task));
        }
    }

    void holdBegins(Task<?> task) {
        FlightEvents.HoldEvent event = FlightEvents.hold(kind, source);
        if (event != null) {
            holds.put(task, event);
        }
    }

    void holdEnds(Task<?> task, TaskStatus status) {
        if (!holds.isEmpty()) {
            FlightEvents.held(holds.remove(task), outcome(status));
        }
    }

    private static String outcome(TaskStatus status) {
        return switch (status) {
            case SUCCESS -> Ends.SUCCESS;
            case CANCELLED -> Ends.CANCELLED;
            case FAILED, REJECTED -> Ends.FAILURE;
        };
    }
}
