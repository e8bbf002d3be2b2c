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
 * Replays the log of a {@link RemoteBulkhead} and says at which event one of its promises would have been broken. It
 * needs nothing but the log, which may come from another process as text.
 *
 * <p>If the oldest events of a log were dropped, the audit checks what the rest can prove.
 */
public final class BulkheadAudit {
    private static final Pattern LINE =
            Pattern.compile("([A-Z_]+) nowMs=(\\d+) inFlight=(\\d+) maxInFlight=(\\d+) (.*)", Pattern.DOTALL);
    private static final int HEX = 16;
    private static final int HEX_DIGITS = 4;

    private BulkheadAudit() {}

    /** What wrote a log. */
    public enum Source {
        /** A bulkhead with its own cap. */
        BULKHEAD,

        /**
         * A member of a cluster, whose cap is a slice of a greater one: it may be 0, and requests may be refused for
         * lack of a lease.
         */
        CLUSTER_MEMBER
    }

    /**
     * A promise that was broken.
     *
     * @param index at which event, from 0
     * @param event that event
     * @param invariant which promise, as {@code INV-RB-…}
     * @param why what is wrong
     */
    public record Breach(int index, BulkheadEvent event, String invariant, String why) {
        /** Returns the line of the event in the log's text, from 1. */
        public int line() {
            return index + 1;
        }

        @Override
        public String toString() {
            return "event " + index + " (" + event.toLine() + ") breaks " + invariant + ": " + why;
        }
    }

    /**
     * What an audit found in a log.
     *
     * @param events how many there are
     * @param lostBeginning whether earlier events are missing, so that the audit proves less
     * @param breach the first broken promise
     */
    public record Report(int events, boolean lostBeginning, Optional<Breach> breach) {}

    /** Checks the log that a bulkhead has now. */
    public static Optional<Breach> check(RemoteBulkhead bulkhead) {
        long droppedBefore = bulkhead.droppedEvents();
        List<BulkheadEvent> events = bulkhead.events();
        boolean complete = Math.max(droppedBefore, bulkhead.droppedEvents()) == 0;
        return replay(events, new BulkheadReplay(complete, Source.BULKHEAD, bulkhead.policy()), true);
    }

    /**
     * Checks the log of a {@link Source#BULKHEAD}.
     *
     * @param events oldest first
     * @param dropped how many came before them; 0 for a log from its beginning
     * @throws IllegalArgumentException if {@code dropped} is negative
     */
    public static Optional<Breach> check(List<BulkheadEvent> events, long dropped) {
        return check(events, dropped, Source.BULKHEAD);
    }

    /**
     * Checks a log.
     *
     * @param events oldest first
     * @param dropped how many came before them; 0 for a log from its beginning
     * @throws IllegalArgumentException if {@code dropped} is negative
     */
    public static Optional<Breach> check(List<BulkheadEvent> events, long dropped, Source source) {
        requireNonNull(events, "events");
        requireNonNull(source, "source");
        if (dropped < 0) {
            throw new IllegalArgumentException("dropped: " + dropped + " (expected: >= 0)");
        }
        return replay(events, new BulkheadReplay(dropped == 0, source, null), true);
    }

    /** Checks a log without knowing how many events came before it: the log itself shows whether any did. */
    public static Report inspect(List<BulkheadEvent> events, Source source) {
        requireNonNull(source, "source");
        boolean lost = firstPermit(events) > 1 || !canBegin(events, source);
        return new Report(events.size(), lost, replay(events, new BulkheadReplay(!lost, source, null), true));
    }

    private static boolean canBegin(List<BulkheadEvent> events, Source source) {
        List<BulkheadEvent> first = events.subList(0, Math.min(1, events.size()));
        return replay(first, new BulkheadReplay(true, source, null), false).isEmpty();
    }

    /* The number of the first permit that is issued here, or 1 if none is issued. */
    private static long firstPermit(List<BulkheadEvent> events) {
        for (BulkheadEvent event : events) {
            if (event.eventCode() == BulkheadEventCode.RB_PERMIT_ACQUIRED) {
                try {
                    return EventDetail.of(event.detail()).number("permit");
                } catch (IllegalArgumentException unreadable) {
                    return 1; // the replay reports it
                }
            }
        }
        return 1;
    }

    private static Optional<Breach> replay(List<BulkheadEvent> events, BulkheadReplay replay, boolean toTheEnd) {
        for (int index = 0; index < events.size(); index++) {
            BulkheadEvent event = events.get(index);
            try {
                replay.play(event);
                if (toTheEnd && index == events.size() - 1) {
                    replay.end();
                }
            } catch (BulkheadReplay.Broken broken) {
                return Optional.of(new Breach(index, event, broken.invariant(), broken.why()));
            } catch (IllegalArgumentException unreadable) {
                return Optional.of(
                        new Breach(index, event, "INV-RB-AUDITABLE", String.valueOf(unreadable.getMessage())));
            }
        }
        return Optional.empty();
    }

    /** Returns the text of a log, one {@link BulkheadEvent#toLine() line} for each event. */
    public static List<String> write(List<BulkheadEvent> events) {
        return events.stream().map(BulkheadEvent::toLine).toList();
    }

    /**
     * Reads a log from its text, one {@link BulkheadEvent#toLine() line} for each event.
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
            } else if (text.startsWith("u", i + 1)) {
                plain.append(half(text.substring(i + 2, Math.min(text.length(), i + 2 + HEX_DIGITS))));
                i += 1 + HEX_DIGITS;
            } else if (++i < text.length()) {
                plain.append(escaped(text.charAt(i)));
            } else {
                throw new IllegalArgumentException("ends with a lone backslash");
            }
        }
        return plain.toString();
    }

    private static char half(String digits) {
        char character = (char) Integer.parseInt(digits, HEX);
        if (digits.length() != HEX_DIGITS || !Character.isSurrogate(character)) {
            throw new IllegalArgumentException("\\u" + digits + " is not half a surrogate pair");
        }
        return character;
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
