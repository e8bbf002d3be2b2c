package io.tidegate.remote;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The last so many events. Not thread-safe. */
final class EventLog {
    /*
     * What is kept of an event is what its text is made from, in slots that are used again and again; the text is made when
     * somebody looks. So logging makes no object.
     */
    private static final int AT_ONCE = 1024;

    private final int capacity;
    private Slot[] slots;
    private long appended;

    EventLog(int capacity) {
        this.capacity = capacity;
        this.slots = filled(new Slot[Math.min(capacity, AT_ONCE)], 0);
    }

    private static Slot[] filled(Slot[] slots, int from) {
        for (int i = from; i < slots.length; i++) {
            slots[i] = new Slot();
        }
        return slots;
    }

    /** The slot for one more event, to be filled in. */
    Slot append() {
        if (appended == slots.length && slots.length < capacity) {
            int used = slots.length;
            slots = filled(Arrays.copyOf(slots, (int) Math.min(capacity, 2L * used)), used);
        }
        return slots[(int) (appended++ % slots.length)];
    }

    long dropped() {
        return Math.max(0, appended - slots.length);
    }

    /** What is kept, the oldest first, as it is now. */
    List<Slot> slots() {
        long first = dropped();
        List<Slot> copies = new ArrayList<>((int) (appended - first));
        for (long i = first; i < appended; i++) {
            copies.add(new Slot(slots[(int) (i % slots.length)]));
        }
        return copies;
    }

    static final class Slot {
        private BulkheadEventCode code = BulkheadEventCode.RB_LATENCY_REPORT;
        private long nowMs;
        private int inFlight;
        private int maxInFlight;
        private long number;
        private int other;
        private String reason = "";
        private String requestId = "";

        Slot() {}

        Slot(Slot other) {
            state(other.nowMs, other.inFlight, other.maxInFlight);
            about(other.code, other.number, other.other, other.reason, other.requestId);
        }

        void state(long nowMs, int inFlight, int maxInFlight) {
            this.nowMs = nowMs;
            this.inFlight = inFlight;
            this.maxInFlight = maxInFlight;
        }

        /** What it is about; what the numbers and texts are depends on the code. */
        void about(BulkheadEventCode code, long number, int other, String reason, String requestId) {
            this.code = code;
            this.number = number;
            this.other = other;
            this.reason = reason;
            this.requestId = requestId;
        }

        BulkheadEvent event() {
            return new BulkheadEvent(code, nowMs, inFlight, maxInFlight, detail());
        }

        private String detail() {
            return switch (code) {
                case RB_PERMIT_ACQUIRED -> "permit=" + number + " request=" + requestId;
                case RB_PERMIT_RELEASED -> "permit=" + number;
                case RB_AT_CAPACITY -> "request=" + requestId;
                case RB_REQUEST_QUEUED -> "position=" + number + " request=" + requestId;
                case RB_REQUEST_REJECTED -> "reason=" + reason + " request=" + requestId;
                case RB_CAP_CHANGED -> "from=" + number + " to=" + other;
                case RB_DRAIN_ACTIVE -> "target=" + number;
                case RB_LATENCY_REPORT -> "latencyMs=" + number;
            };
        }
    }
}
