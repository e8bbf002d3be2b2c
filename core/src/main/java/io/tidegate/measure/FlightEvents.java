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
     * Only an object of an event's class can say whether the event is on, and an object made just to ask would be
     * allocated until the compiler removes it. So each class has one object for that question alone.
     */
    private static final RefusalEvent REFUSALS = new RefusalEvent();
    private static final StateChangeEvent STATE_CHANGES = new StateChangeEvent();
    private static final WaitEvent WAITS = new WaitEvent();
    private static final HoldEvent HOLDS = new HoldEvent();
    private static final LimitChangeEvent LIMIT_CHANGES = new LimitChangeEvent();

    /** Threads whose events are not recorded. */
    private static final ThreadLocal<Boolean> UNTOLD = new ThreadLocal<>();

    private FlightEvents() {}

    /** Runs {@code play} on this thread without recording events. */
    public static void untold(Runnable play) {
        UNTOLD.set(true);
        try {
            play.run();
        } finally {
            UNTOLD.remove();
        }
    }

    /*
     * An event that the recording cannot take, or for which there is no memory, is not recorded; the call goes on.
     */
    private static void commit(Event event) {
        try {
            event.commit();
        } catch (Throwable outOfMemory) {
            // as said
        }
    }

    private static boolean isTold() {
        try {
            return UNTOLD.get() == null;
        } catch (OutOfMemoryError unknown) {
            return false;
        }
    }

    /** A part refused. */
    public static void refusal(String kind, String source, String code) {
        if (REFUSALS.isEnabled() && isTold()) {
            try {
                RefusalEvent event = new RefusalEvent();
                event.kind = kind;
                event.source = source;
                event.code = code;
                commit(event);
            } catch (OutOfMemoryError unrecorded) {
                // as said
            }
        }
    }

    /** A breaker changed. */
    public static void stateChange(String breaker, String from, String to) {
        if (STATE_CHANGES.isEnabled() && isTold()) {
            try {
                StateChangeEvent event = new StateChangeEvent();
                event.breaker = breaker;
                event.from = from;
                event.to = to;
                commit(event);
            } catch (OutOfMemoryError unrecorded) {
                // as said
            }
        }
    }

    /** A limit changed. */
    public static void limitChange(String kind, String source, double from, double to) {
        if (LIMIT_CHANGES.isEnabled() && from != to && isTold()) {
            try {
                LimitChangeEvent event = new LimitChangeEvent();
                event.kind = kind;
                event.source = source;
                event.from = from;
                event.to = to;
                commit(event);
            } catch (OutOfMemoryError unrecorded) {
                // as said
            }
        }
    }

    /** A call begins to wait; null if that is not recorded. */
    public static @Nullable WaitEvent wait(String kind, String source) {
        if (!WAITS.isEnabled() || !isTold()) {
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
        if (!HOLDS.isEnabled() || !isTold()) {
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
    @Description("A part said no")
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
    @Description("A limit of a part is another one")
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
