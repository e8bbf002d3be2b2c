package io.tidegate.remote;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the latest events, and passes each one to the sink, if there is one. Not thread-safe. */
final class EventLog {
    /*
     * The log keeps the numbers and names from which an event's text is made; the text is made when it is read. So
     * logging makes no object, unless there is a sink.
     *
     * An event is four numbers side by side, half a cache line, and a text or two if it is about a request. So two
     * processors that take turns move few lines, and the collector sees few changes. Texts stay until others replace
     * them.
     */
    private static final int FIRST_PLACES = 1024;
    private static final int NUMBERS = 4;
    private static final int TIME = 0;
    private static final int NUMBER = 1;
    private static final int COUNTS = 2;
    private static final int CODE = 3;
    private static final int MOST = Integer.MAX_VALUE / NUMBERS - 8; // so that the array is not too long
    private static final BulkheadEventCode[] CODES = BulkheadEventCode.values();

    private final int capacity;
    private final @Nullable SinkFeed feed;
    private long[] numbers;
    private String[] requestIds;
    private String[] reasons;
    private int next;
    private long appended;

    EventLog(int capacity, @Nullable SinkFeed feed) {
        this.capacity = Math.min(capacity, MOST);
        this.feed = feed;
        int places = Math.min(capacity, FIRST_PLACES);
        this.numbers = new long[NUMBERS * places];
        this.requestIds = new String[places];
        this.reasons = new String[places];
    }

    private EventLog(EventLog other) {
        this.capacity = other.capacity;
        this.feed = null;
        this.numbers = other.numbers.clone();
        this.requestIds = other.requestIds.clone();
        this.reasons = other.reasons.clone();
        this.next = other.next;
        this.appended = other.appended;
    }

    EventLog copy() {
        return new EventLog(this);
    }

    /** Logs an event. The meaning of the number depends on the code. */
    void append(BulkheadEventCode code, long nowMs, int inFlight, int maxInFlight, long number) {
        put(place(), code, nowMs, inFlight, maxInFlight, number);
    }

    /** Logs an event about a request. */
    void append(BulkheadEventCode code, long nowMs, int inFlight, int maxInFlight, long number, String requestId) {
        int place = place();
        requestIds[place] = requestId;
        put(place, code, nowMs, inFlight, maxInFlight, number);
    }

    /** Logs a request that was refused, or whose wait has ended without a permit. */
    void appendRejected(long nowMs, int inFlight, int maxInFlight, String reason, String requestId) {
        int place = place();
        requestIds[place] = requestId;
        reasons[place] = reason;
        put(place, BulkheadEventCode.RB_REQUEST_REJECTED, nowMs, inFlight, maxInFlight, 0);
    }

    @SuppressWarnings("EnumOrdinal") // the number does not leave this object
    private void put(int place, BulkheadEventCode code, long nowMs, int inFlight, int maxInFlight, long number) {
        int first = place * NUMBERS;
        numbers[first + TIME] = nowMs;
        numbers[first + NUMBER] = number;
        numbers[first + COUNTS] = (long) inFlight << Integer.SIZE | maxInFlight;
        numbers[first + CODE] = code.ordinal();
        if (feed != null) {
            feed.add(event(place));
        }
    }

    private int place() {
        if (next == requestIds.length) {
            makeRoom();
        }
        appended++;
        return next++;
    }

    /* Grows the arrays; if they cannot grow any more, the oldest events go. */
    private void makeRoom() {
        if (next < capacity) {
            int places = (int) Math.min(capacity, 2L * next);
            numbers = Arrays.copyOf(numbers, NUMBERS * places);
            reasons = Arrays.copyOf(reasons, places);
            requestIds = Arrays.copyOf(requestIds, places); // last: its length says how much room there is
        } else {
            next = 0;
        }
    }

    long dropped() {
        return Math.max(0, appended - requestIds.length);
    }

    /** The kept events, the oldest first. */
    List<BulkheadEvent> events() {
        int kept = (int) (appended - dropped());
        List<BulkheadEvent> events = new ArrayList<>(kept);
        for (int age = kept; age > 0; age--) {
            events.add(event(age <= next ? next - age : next - age + kept));
        }
        return events;
    }

    private BulkheadEvent event(int place) {
        int first = place * NUMBERS;
        long counts = numbers[first + COUNTS];
        BulkheadEventCode code = CODES[(int) numbers[first + CODE]];
        int maxInFlight = (int) counts;
        String detail = detail(code, place, numbers[first + NUMBER], maxInFlight);
        return new BulkheadEvent(code, numbers[first + TIME], (int) (counts >>> Integer.SIZE), maxInFlight, detail);
    }

    /*
     * Uses no string concatenation by +, which is linked at its first use: that may come near the end of a stack, and
     * takes more stack than all the rest.
     */
    private String detail(BulkheadEventCode code, int place, long number, int maxInFlight) {
        StringBuilder text = new StringBuilder();
        switch (code) {
            case RB_PERMIT_ACQUIRED ->
                text.append("permit=").append(number).append(" request=").append(requestIds[place]);
            case RB_PERMIT_RELEASED -> text.append("permit=").append(number);
            case RB_AT_CAPACITY -> text.append("request=").append(requestIds[place]);
            case RB_REQUEST_QUEUED ->
                text.append("position=").append(number).append(" request=").append(requestIds[place]);
            case RB_REQUEST_REJECTED ->
                text.append("reason=")
                        .append(reasons[place])
                        .append(" request=")
                        .append(requestIds[place]);
            case RB_CAP_CHANGED ->
                text.append("from=").append(number).append(" to=").append(maxInFlight);
            case RB_DRAIN_ACTIVE -> text.append("target=").append(number);
            case RB_LATENCY_REPORT -> text.append("latencyMs=").append(number);
        }
        return text.toString();
    }
}
