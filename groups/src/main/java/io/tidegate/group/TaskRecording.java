package io.tidegate.group;

import io.tidegate.measure.Ends;
import io.tidegate.measure.FlightEvents;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
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
    private final Begun<FlightEvents.WaitEvent> waits = new Begun<>(new ConcurrentHashMap<>());
    private final Begun<FlightEvents.HoldEvent> holds = new Begun<>(new ConcurrentHashMap<>());

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
            waits.put(task, event);
        }
    }

    void waitsNot(Task<?> task) {
        waits.remove(task);
    }

    /** The wait of a task has ended, if it waited. */
    void waitEnds(Task<?> task) {
        FlightEvents.waited(waits.remove(task));
    }

    void holdBegins(Task<?> task) {
        FlightEvents.HoldEvent event = FlightEvents.hold(kind, source);
        if (event != null) {
            holds.put(task, event);
        }
    }

    void holdEnds(Task<?> task, TaskStatus status) {
        FlightEvents.held(holds.remove(task), outcome(status));
    }

    private static String outcome(TaskStatus status) {
        return switch (status) {
            case SUCCESS -> Ends.SUCCESS;
            case CANCELLED -> Ends.CANCELLED;
            case FAILED, REJECTED -> Ends.FAILURE;
        };
    }

    /** The events of one kind that have begun and not ended. */
    static final class Begun<E> {
        private final Map<Task<?>, E> events;

        /* At least as many as there are: one stays counted if there is no memory to look whether the map has it. */
        private final AtomicInteger most = new AtomicInteger();

        Begun(Map<Task<?>, E> events) {
            this.events = events;
        }

        void put(Task<?> task, E event) {
            most.incrementAndGet();
            try {
                events.put(task, event);
            } catch (OutOfMemoryError unrecorded) {
                takeBack(task);
            }
        }

        private void takeBack(Task<?> task) {
            try {
                events.remove(task);
                most.decrementAndGet();
            } catch (OutOfMemoryError uncertain) {
                // the map may have it
            }
        }

        /** Returns the task's event if it has one; asked for each task, and mostly there is none of any. */
        @Nullable
        E remove(Task<?> task) {
            if (most.get() == 0) {
                return null;
            }
            E event = takeOut(task);
            if (event != null) {
                most.decrementAndGet();
            }
            return event;
        }

        private @Nullable E takeOut(Task<?> task) {
            try {
                return events.remove(task);
            } catch (OutOfMemoryError unrecorded) {
                return null;
            }
        }
    }
}
