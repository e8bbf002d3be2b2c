package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

/**
 * One entry of a {@link RemoteBulkhead}'s log.
 *
 * @param eventCode what happened
 * @param nowMs when, by the clock of the call that caused it
 * @param inFlight permits out after it
 * @param maxInFlight the cap after it
 * @param detail what it was about, as {@code key=value} pairs; a request's id comes last and may hold any text
 */
public record BulkheadEvent(BulkheadEventCode eventCode, long nowMs, int inFlight, int maxInFlight, String detail) {
    public BulkheadEvent {
        requireNonNull(eventCode, "eventCode");
        requireNonNull(detail, "detail");
    }

    /**
     * This event as one line of text, without a line end. In the detail, backslash, line feed and carriage return are
     * written {@code \\}, {@code \n} and {@code \r}.
     */
    public String toLine() {
        return eventCode + " nowMs=" + nowMs + " inFlight=" + inFlight + " maxInFlight=" + maxInFlight + " "
                + detail.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }
}
