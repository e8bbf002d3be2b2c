package io.tidegate.remote;

import static java.util.Objects.requireNonNull;

import java.util.Locale;

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
     * written {@code \\}, {@code \n} and {@code \r}, and half a surrogate pair, which no encoding can write, as {@code
     * \} and {@code u} and its four digits.
     */
    public String toLine() {
        StringBuilder line = new StringBuilder();
        line.append(eventCode)
                .append(" nowMs=")
                .append(nowMs)
                .append(" inFlight=")
                .append(inFlight);
        line.append(" maxInFlight=").append(maxInFlight).append(' ');
        detail.codePoints().forEach(character -> escape(character, line));
        return line.toString();
    }

    private static void escape(int character, StringBuilder line) {
        switch (character) {
            case '\\' -> line.append("\\\\");
            case '\n' -> line.append("\\n");
            case '\r' -> line.append("\\r");
            default -> {
                if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
                    line.append("\\u").append(Integer.toHexString(character).toUpperCase(Locale.ROOT));
                } else {
                    line.appendCodePoint(character);
                }
            }
        }
    }
}
