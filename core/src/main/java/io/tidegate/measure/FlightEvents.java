package io.tidegate.measure;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The events of flight recordings. */
public final class FlightEvents {
    /*
     * Only an object of an event's class can say whether the event is on, and an object made for that question would be
     * allocated each time until the compiler removes it. So for each class there is one object that only answers that
     * question.
     */
    private static final RefusalEvent REFUSALS = new RefusalEvent();
    private static final StateChangeEvent STATE_CHANGES = new StateChangeEvent();
    private static final WaitEvent WAITS = new WaitEvent();
    private static final HoldEvent HOLDS = new HoldEvent();
    private static final LimitChangeEvent LIMIT_CHANGES = new LimitChangeEvent();

    /** Threads whose events are not recorded. */
    private static final ThreadLocal<Boolean> UNRECORDED = new ThreadLocal<>();

    private FlightEvents() {}

    /** Runs {@code code} on this thread without recording events. */
    public static void withoutRecording(Runnable code) {
        UNRECORDED.set(true);
        try {
            code.run();
        } finally {
            UNRECORDED.remove();
        }
    }

    /*
     * An event that the recording cannot take, or for which there is no memory, is dropped; the call goes on.
     */
    private static void commit(Event event) {
        try {
            event.commit();
        } catch (Throwable outOfMemory) {
            // the event is dropped
        }
    }

    private static boolean isRecorded() {
        try {
            return UNRECORDED.get() == null;
        } catch (OutOfMemoryError unknown) {
            return false;
        }
    }

    /** A part refused. */
    public static void refusal(String kind, String source, String code) {
        if (REFUSALS.isEnabled() && isRecorded()) {
            try {
                RefusalEvent event = new RefusalEvent();
                event.kind = kind;
                event.source = source;
                event.code = code;
                commit(event);
            } catch (OutOfMemoryError unrecorded) {
                // the event is dropped
            }
        }
    }

    /** A breaker changed. */
    public static void stateChange(String breaker, String from, String to) {
        if (STATE_CHANGES.isEnabled() && isRecorded()) {
            try {
                StateChangeEvent event = new StateChangeEvent();
                event.breaker = breaker;
                event.from = from;
                event.to = to;
                commit(event);
            } catch (OutOfMemoryError unrecorded) {
                // the event is dropped
            }
        }
    }

    /** A limit changed. */
    public static void limitChange(String kind, String source, double from, double to) {
        if (LIMIT_CHANGES.isEnabled() && from != to && isRecorded()) {
            try {
                LimitChangeEvent event = new LimitChangeEvent();
                event.kind = kind;
                event.source = source;
                event.from = from;
                event.to = to;
                commit(event);
            } catch (OutOfMemoryError unrecorded) {
                // the event is dropped
            }
        }
    }

    /** A call begins to wait; null if that is not recorded. */
    public static @Nullable WaitEvent wait(String kind, String source) {
        if (!WAITS.isEnabled() || !isRecorded()) {
            return null;
        }
        try {
            WaitEvent event = new WaitEvent();
            event.kind = kind;
            event.source = source;
            event.begin();
            return event;
        } catch (OutOfMemoryError unrecorded) {
            return null;
        }
    }

    /** A wait is over. */
    public static void waited(@Nullable WaitEvent event) {
        if (event != null) {
            commit(event);
        }
    }

    static boolean recordsHolds() {
        return HOLDS.isEnabled();
    }

    /** A call begins to hold a permit; null if that is not recorded. */
    public static @Nullable HoldEvent hold(String kind, String source) {
        if (!HOLDS.isEnabled() || !isRecorded()) {
            return null;
        }
        try {
            HoldEvent event = new HoldEvent();
            event.kind = kind;
            event.source = source;
            event.begin();
            return event;
        } catch (OutOfMemoryError unrecorded) {
            return null;
        }
    }

    /** The permit is back. */
    public static void held(@Nullable HoldEvent event, String outcome) {
        if (event != null) {
            event.outcome = outcome;
            commit(event);
        }
    }

    @Name("tidegate.Refusal")
    @Label("Refusal")
    @Description("A part refused a call")
    @Category("Tidegate")
    @Enabled(false)
    static final class RefusalEvent extends Event {
        @Label("Kind")
        @Nullable
        String kind;

        @Label("Source")
        @Nullable
        String source;

        @Label("Code")
        @Nullable
        String code;
    }

    @Name("tidegate.StateChange")
    @Label("State Change")
    @Description("A circuit breaker changed its state")
    @Category("Tidegate")
    @StackTrace(false)
    static final class StateChangeEvent extends Event {
        @Label("Breaker")
        @Nullable
        String breaker;

        @Label("From")
        @Nullable
        String from;

        @Label("To")
        @Nullable
        String to;
    }

    /** A wait before a part. */
    @Name("tidegate.Wait")
    @Label("Wait")
    @Description("A call waited to be let in by a part")
    @Category("Tidegate")
    @Enabled(false)
    @StackTrace(false)
    public static final class WaitEvent extends Event {
        @Label("Kind")
        @Nullable
        String kind;

        @Label("Source")
        @Nullable
        String source;

        private WaitEvent() {}
    }

    /** A permit that was held. */
    @Name("tidegate.Hold")
    @Label("Hold")
    @Description("A call held a permit of a part, from its admission to its end")
    @Category("Tidegate")
    @Enabled(false)
    @StackTrace(false)
    public static final class HoldEvent extends Event {
        @Label("Kind")
        @Nullable
        String kind;

        @Label("Source")
        @Nullable
        String source;

        @Label("Outcome")
        @Nullable
        String outcome;

        private HoldEvent() {}
    }

    @Name("tidegate.LimitChange")
    @Label("Limit Change")
    @Description("A limit of a part changed")
    @Category("Tidegate")
    @Enabled(false)
    @StackTrace(false)
    static final class LimitChangeEvent extends Event {
        @Label("Kind")
        @Nullable
        String kind;

        @Label("Source")
        @Nullable
        String source;

        @Label("From")
        double from;

        @Label("To")
        double to;
    }
}
