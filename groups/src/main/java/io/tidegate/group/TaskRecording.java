package io.tidegate.group;

import io.tidegate.measure.Ends;
import io.tidegate.measure.FlightEvents;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Records the waits and holds of tasks, if a flight recording asks for them. */
final class TaskRecording {
    /*
     * The events are kept beside the tasks: a field would make each of a million waiting tasks larger, and most are
     * never recorded. An event that has begun is removed again, even if the recording no longer asks for such events.
     * An event for which there is no memory is not recorded, and the task goes on.
     */
    private final String kind;
    private final String source;
    private final Map<Task<?>, FlightEvents.WaitEvent> waits = new ConcurrentHashMap<>();
    private final Map<Task<?>, FlightEvents.HoldEvent> holds = new ConcurrentHashMap<>();

    TaskRecording(String kind, String source) {
        this.kind = kind;
        this.source = source;
    }

    /**
     * The task is about to enter its group, where it may have to wait: {@link #waitEnds} or {@link #waitsNot} must
     * follow.
     */
    void mayWait(Task<?> task) {
        FlightEvents.WaitEvent event = FlightEvents.wait(kind, source);
        if (event != null) {
            put(waits, task, event);
        }
    }

    void waitsNot(Task<?> task) {
        if (!waits.isEmpty()) {
            remove(waits, task);
        }
    }

    /** The wait of a task has ended, if it waited. */
    void waitEnds(Task<?> task) {
        if (!waits.isEmpty()) {
            FlightEvents.waited(remove(waits, task));
        }
    }

    void holdBegins(Task<?> task) {
        FlightEvents.HoldEvent event = FlightEvents.hold(kind, source);
        if (event != null) {
            put(holds, task, event);
        }
    }

    void holdEnds(Task<?> task, TaskStatus status) {
        if (!holds.isEmpty()) {
            FlightEvents.held(remove(holds, task), outcome(status));
        }
    }

    private static <E> void put(Map<Task<?>, E> events, Task<?> task, E event) {
        try {
            events.put(task, event);
        } catch (OutOfMemoryError unrecorded) {
            // the event is out of the map, or was never in it
        }
    }

    private static <E> @Nullable E remove(Map<Task<?>, E> events, Task<?> task) {
        try {
            return events.remove(task);
        } catch (OutOfMemoryError unrecorded) {
            return null;
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
