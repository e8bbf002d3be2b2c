package io.tidegate.group;

import io.tidegate.measure.Ends;
import io.tidegate.measure.FlightEvents;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records the waits and holds of tasks, if a flight recording asks for them. */
final class TaskRecording {
    /*
     * The events are kept beside the tasks: a field would make each of a million waiting tasks larger, and most are
     * never recorded. An event that was begun is removed again, whatever the recording wants by then.
     */
    private final String kind;
    private final String source;
    private final Map<Task<?>, FlightEvents.WaitEvent> waits = new ConcurrentHashMap<>();
    private final Map<Task<?>, FlightEvents.HoldEvent> holds = new ConcurrentHashMap<>();

    TaskRecording(String kind, String source) {
        this.kind = kind;
        this.source = source;
    }

    /** The task is about to get in, or to wait: {@link #waitEnds} or {@link #waitsNot} must follow. */
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

    /** The wait of a task has ended, if it waited. */
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
