package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One operation of a history: when it was called, and when and with what it returned, if it did. */
final class LeaseOperation {
    /** The time of what did not happen. */
    static final long NEVER = Long.MAX_VALUE;

    enum Kind {
        TRY_ACQUIRE("tryAcquire"),
        SUCCEED("succeed"),
        FAIL("fail"),
        RENEW("renew"),
        FORGET("forget"),
        REPLAY("replay"),
        INSPECT("inspect");

        final String word;

        Kind(String word) {
            this.word = word;
        }

        static Kind of(String word) {
            for (Kind kind : values()) {
                if (kind.word.equals(word)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("no operation: " + word);
        }

        /** Whether it is asked with a token. */
        boolean hasToken() {
            return this == SUCCEED || this == FAIL || this == RENEW;
        }
    }

    /** What an operation returned or threw: its code, and the token and the numbers that come with it. */
    record Answer(String code, @Nullable String token, long number, long other) {
        static Answer of(String code) {
            return new Answer(code, null, 0, 0);
        }

        static Answer of(String code, long number) {
            return new Answer(code, null, number, 0);
        }

        String text() {
            return switch (code) {
                case "ACQUIRED", "ALREADY_ACQUIRED", "HELD_ELSEWHERE" ->
                    code + " " + quoted(requireNonNull(token)) + " " + number;
                case "NEXT_HINT", "GIVE_UP_NEXT_HINT", "RETRY_SCHEDULED", "BACKLOG_ORDERING", "RENEWED" ->
                    code + " " + number;
                case "SNAPSHOT" -> code + " " + number + " " + other;
                default -> code;
            };
        }

        static Answer parse(List<String> words) {
            String token = null;
            List<Long> numbers = new ArrayList<>(List.of(0L, 0L));
            int count = 0;
            for (String word : words.subList(1, words.size())) {
                if (word.startsWith("\"")) {
                    token = unquoted(word);
                } else {
                    numbers.set(count++, Long.parseLong(word));
                }
            }
            return new Answer(words.get(0), token, numbers.get(0), numbers.get(1));
        }
    }

    final String process;
    final long number;
    final long called;
    final Kind kind;
    final String domainId;
    final long offset;
    final @Nullable String token;
    private long returned = NEVER;
    private @Nullable Answer answer;

    LeaseOperation(
            String process, long number, long called, Kind kind, String domainId, long offset, @Nullable String token) {
        this.process = process;
        this.number = number;
        this.called = called;
        this.kind = kind;
        this.domainId = domainId;
        this.offset = offset;
        this.token = token;
    }

    synchronized void end(long time, Answer given) {
        returned = time;
        answer = given;
    }

    /** {@link #NEVER} while the outcome is not known. */
    synchronized long returned() {
        return returned;
    }

    synchronized @Nullable Answer answer() {
        return answer;
    }

    /** Its answer's code, or the empty text. */
    String code() {
        Answer given = answer();
        return given == null ? "" : given.code();
    }

    boolean isUnknown() {
        return answer() == null;
    }

    String callLine() {
        return called + " " + key() + " " + call();
    }

    /** Only with an answer. */
    String returnLine() {
        return returned() + " " + key() + " = " + requireNonNull(answer()).text();
    }

    private String key() {
        return quoted(process) + " " + number;
    }

    private String call() {
        String argument = kind == Kind.INSPECT
                ? ""
                : kind.hasToken() ? " " + (token == null ? "null" : quoted(token)) : " " + offset;
        return kind.word + " " + quoted(domainId) + argument;
    }

    @Override
    public String toString() {
        Answer given = answer();
        return call() + (given == null ? " without answer" : " = " + given.text()) + " (operation " + number + " of "
                + process + ", steps " + called + " to " + (given == null ? "?" : returned()) + ")";
    }

    static LeaseOperation parseCall(List<String> words) {
        Kind kind = Kind.of(words.get(3));
        String argument = words.size() > 5 ? words.get(5) : "0";
        boolean byToken = kind.hasToken();
        return new LeaseOperation(
                unquoted(words.get(1)),
                Long.parseLong(words.get(2)),
                Long.parseLong(words.get(0)),
                kind,
                unquoted(words.get(4)),
                byToken ? 0 : Long.parseLong(argument),
                !byToken || argument.equals("null") ? null : unquoted(argument));
    }

    /** Without blanks and line ends, so that a line can be split at its blanks. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character > ' ' && character < 127 && character != '\\' && character != '"') {
                quoted.append(character);
            } else {
                quoted.append(String.format("\\u%04x", (int) character));
            }
        }
        return quoted.append('"').toString();
    }

    static String unquoted(String quoted) {
        if (quoted.length() < 2 || !quoted.startsWith("\"") || !quoted.endsWith("\"")) {
            throw new IllegalArgumentException("no quoted text: " + quoted);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < quoted.length() - 1; i++) {
            if (quoted.charAt(i) == '\\') {
                text.append((char) Integer.parseInt(quoted.substring(i + 2, i + 6), 16));
                i += 5;
            } else {
                text.append(quoted.charAt(i));
            }
        }
        return text.toString();
    }
}
