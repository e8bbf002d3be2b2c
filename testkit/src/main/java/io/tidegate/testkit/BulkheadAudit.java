package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import io.tidegate.remote.BulkheadEvent;
import io.tidegate.remote.BulkheadEventCode;
import io.tidegate.remote.RemoteBulkhead;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replays the log of a {@link RemoteBulkhead} and says at which event one of its promises would have been broken. It needs
 * nothing but the log, which may come from another process as text.
 *
 * <p>A log whose oldest events were dropped is checked as far as what is left can tell.
 */
public final class BulkheadAudit {
    private static final Pattern LINE =
            Pattern.compile("([A-Z_]+) nowMs=(\\d+) inFlight=(\\d+) maxInFlight=(\\d+) (.*)", Pattern.DOTALL);

    private BulkheadAudit() {}

    /**
     * A promise that was broken.
     *
     * @param index at which event, from 0
     * @param event that event
     * @param invariant which promise, as {@code INV-RB-…}
     * @param why what is wrong
     */
    public record Breach(int index, BulkheadEvent event, String invariant, String why) {
        @Override
        public String toString() {
            return "event " + index + " (" + event.toLine() + ") breaks " + invariant + ": " + why;
        }
    }

    /** Checks the log that a bulkhead has now. */
    public static Optional<Breach> check(RemoteBulkhead bulkhead) {
        long droppedBefore = bulkhead.droppedEvents();
        List<BulkheadEvent> events = bulkhead.events();
        return check(events, Math.max(droppedBefore, bulkhead.droppedEvents()));
    }

    /**
     * Checks a log.
     *
     * @param events oldest first
     * @param dropped how many came before them; 0 for a log from its beginning
     * @throws IllegalArgumentException if {@code dropped} is negative
     */
    public static Optional<Breach> check(List<BulkheadEvent> events, long dropped) {
        requireNonNull(events, "events");
        if (dropped < 0) {
            throw new IllegalArgumentException("dropped: " + dropped + " (expected: >= 0)");
        }
        BulkheadReplay replay = new BulkheadReplay(dropped == 0);
        for (int index = 0; index < events.size(); index++) {
            BulkheadEvent event = events.get(index);
            try {
                replay.play(event);
            } catch (BulkheadReplay.Broken broken) {
                return Optional.of(new Breach(index, event, broken.invariant(), broken.why()));
            } catch (IllegalArgumentException unreadable) {
                return Optional.of(
                        new Breach(index, event, "INV-RB-AUDITABLE", String.valueOf(unreadable.getMessage())));
            }
        }
        return Optional.empty();
    }

    /**
     * Reads a log from its text, one {@link BulkheadEvent#toLine() line} an event.
     *
     * @throws IllegalArgumentException if a line is not an event, with its number
     */
    public static List<BulkheadEvent> read(List<String> lines) {
        List<BulkheadEvent> events = new ArrayList<>(lines.size());
        for (String line : lines) {
            try {
                events.add(event(line));
            } catch (IllegalArgumentException unreadable) {
                throw new IllegalArgumentException(
                        "line " + (events.size() + 1) + ": '" + line
                                + "' (expected: CODE nowMs=N inFlight=N maxInFlight=N DETAIL)",
                        unreadable);
            }
        }
        return List.copyOf(events);
    }

    private static BulkheadEvent event(String line) {
        Matcher parts = LINE.matcher(line);
        if (!parts.matches()) {
            throw new IllegalArgumentException("no event");
        }
        return new BulkheadEvent(
                BulkheadEventCode.valueOf(parts.group(1)),
                Long.parseLong(parts.group(2)),
                Integer.parseInt(parts.group(3)),
                Integer.parseInt(parts.group(4)),
                unescape(parts.group(5)));
    }

    private static String unescape(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character != '\\') {
                plain.append(character);
            } else if (++i < text.length()) {
                plain.append(escaped(text.charAt(i)));
            } else {
                throw new IllegalArgumentException("ends with a lone backslash");
            }
        }
        return plain.toString();
    }

    private static char escaped(char character) {
        return switch (character) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case '\\' -> '\\';
            default -> throw new IllegalArgumentException("\\" + character + " means nothing");
        };
    }
}
