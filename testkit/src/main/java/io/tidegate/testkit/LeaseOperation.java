package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.LeaseRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One operation of a history: when it was called, and when and with what it returned, if it did. */
final class LeaseOperation {
    /** The time of an event that did not happen. */
    static final long NEVER = Long.MAX_VALUE;

    private static final String PERMANENT = "permanent";

    enum Kind {
        TRY_ACQUIRE("tryAcquire"),
        SUCCEED("succeed"),
        FAIL("fail"),
        RENEW("renew"),
        RELEASE("release"),
        FORGET("forget"),
        REPLAY("replay"),
        INSPECT("inspect"),
        /** The domain was listed as one with work and without an owner. */
        PENDING("pending"),
        /**
         * A success also asked for the head of the backlog, in one call. An answered question is recorded as a separate
         * operation, so only one without an answer means anything: the head at that time may have been acquired.
         */
        TAKE_NEXT("takeNext");

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

        /** Whether its call has a token. */
        boolean hasToken() {
            return this == SUCCEED || this == FAIL || this == RENEW || this == RELEASE;
        }

        /** Whether its call has no argument but the domain. */
        boolean isOfWholeDomain() {
            return this == INSPECT || this == PENDING || this == TAKE_NEXT;
        }
    }

    /** What an operation returned or threw: its code, its token, its owner or its numbers. */
    record Answer(String code, @Nullable String token, List<Long> numbers) {
        private static final Map<String, Integer> NUMBERS = Map.of(
                "NEXT_HINT", 1, "GIVE_UP_NEXT_HINT", 1, "RETRY_SCHEDULED", 1, "BACKLOG_ORDERING", 1, "RENEWED", 1);
        private static final Map<String, Integer> NUMBERS_WITH_TOKEN =
                Map.of("ACQUIRED", 1, "ALREADY_ACQUIRED", 1, "HELD_ELSEWHERE", 1);
        /** Answers that may show the number of retries, too. */
        private static final Set<String> WITH_RETRIES = Set.of("ACQUIRED", "ALREADY_ACQUIRED");

        static Answer of(String code, Long... numbers) {
            return new Answer(code, null, List.of(numbers));
        }

        /** A domain that is not leased is shown without a token; one whose token is hidden, with an empty one. */
        static Answer of(DomainSnapshot seen) {
            List<Long> numbers = new ArrayList<>(List.of(seen.processedCount(), seen.failedCount()));
            seen.lease()
                    .ifPresent(lease -> numbers.addAll(
                            List.of(lease.currentOffset(), lease.fence(), lease.acquiredAtMillis(), (long)
                                    lease.retryCount())));
            numbers.addAll(seen.backlog());
            return new Answer("SNAPSHOT", seen.lease().map(LeaseRecord::token).orElse(null), numbers);
        }

        long number() {
            return numbers.get(0);
        }

        /** Returns whether the answer shows this number of retries, or none. */
        boolean isOfRetries(int retries) {
            return numbers.size() < 2 || numbers.get(1) == retries;
        }

        String text() {
            StringBuilder text = new StringBuilder(code);
            if (token != null) {
                text.append(' ').append(quoted(token));
            }
            numbers.forEach(number -> text.append(' ').append(number));
            return text.toString();
        }

        static Answer parse(List<String> words) {
            List<String> rest = words.subList(1, words.size());
            String token = !rest.isEmpty() && rest.get(0).startsWith("\"") ? unquoted(rest.get(0)) : null;
            List<Long> numbers =
                    rest.stream().skip(token == null ? 0 : 1).map(Long::valueOf).toList();
            Answer answer = new Answer(words.get(0), token, numbers);
            if (!answer.isComplete()) {
                throw new IllegalArgumentException("no answer: " + String.join(" ", words));
            }
            return answer;
        }

        private boolean isComplete() {
            if (code.equals("SNAPSHOT")) {
                return numbers.size() >= (token == null ? 2 : 6);
            }
            int least = (token == null ? NUMBERS : NUMBERS_WITH_TOKEN).getOrDefault(code, 0);
            int most = WITH_RETRIES.contains(code) ? least + 1 : least;
            return numbers.size() >= least
                    && numbers.size() <= most
                    && (token != null) == NUMBERS_WITH_TOKEN.containsKey(code);
        }
    }

    final String process;
    final long number;
    final long called;
    final Kind kind;
    final String domainId;
    final long offset;
    final @Nullable String token;

    /** The number of the failure with this token; null if the call has none. */
    final @Nullable Integer failure;

    /** Whether it is a failure that the lease must not retry. */
    final boolean permanent;

    /** The caller; null for leases without owners. */
    final @Nullable String owner;

    private long returned = NEVER;
    private @Nullable Answer answer;

    LeaseOperation(
            String process,
            long number,
            long called,
            Kind kind,
            String domainId,
            long offset,
            @Nullable String token,
            @Nullable Integer failure,
            boolean permanent,
            @Nullable String owner) {
        this.process = process;
        this.number = number;
        this.called = called;
        this.kind = kind;
        this.domainId = domainId;
        this.offset = offset;
        this.token = token;
        this.failure = failure;
        this.permanent = permanent;
        this.owner = owner;
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

    /** What it asks. Two operations are alike if this is equal. */
    List<?> what() {
        return Arrays.asList(kind, offset, token, failure, permanent, owner);
    }

    String callLine() {
        return called + " " + key() + " " + call();
    }

    /** The line of its return. It must have an answer. */
    String returnLine() {
        return returned() + " " + key() + " = " + requireNonNull(answer()).text();
    }

    private String key() {
        return quoted(process) + " " + number;
    }

    private String call() {
        String argument = kind.isOfWholeDomain()
                ? ""
                : kind.hasToken() ? " " + (token == null ? "null" : quoted(token)) : " " + offset;
        return kind.word + " " + quoted(domainId) + argument + (failure == null ? "" : " " + failure)
                + (permanent ? " " + PERMANENT : "")
                + (owner == null ? "" : " by " + quoted(owner));
    }

    @Override
    public String toString() {
        Answer given = answer();
        return call() + (given == null ? " without answer" : " = " + given.text()) + " (operation " + number + " of "
                + process + ", steps " + called + " to " + (given == null ? "?" : returned()) + ")";
    }

    static LeaseOperation parseCall(List<String> words) {
        Kind kind = Kind.of(words.get(3));
        int by = words.size() > 6 && words.get(words.size() - 2).equals("by") ? words.size() - 2 : words.size();
        List<String> arguments = words.subList(5, Math.max(5, by));
        boolean byToken = kind.hasToken();
        if (!kind.isOfWholeDomain() && arguments.isEmpty()) {
            throw new IllegalArgumentException("no argument");
        }
        boolean permanent =
                kind == Kind.FAIL && arguments.get(arguments.size() - 1).equals(PERMANENT);
        int numbers = permanent ? arguments.size() - 1 : arguments.size();
        return new LeaseOperation(
                unquoted(words.get(1)),
                Long.parseLong(words.get(2)),
                Long.parseLong(words.get(0)),
                kind,
                unquoted(words.get(4)),
                byToken || kind.isOfWholeDomain() ? 0 : Long.parseLong(arguments.get(0)),
                !byToken || arguments.get(0).equals("null") ? null : unquoted(arguments.get(0)),
                numbers < 2 ? null : failureNumber(arguments.get(1)),
                permanent,
                by == words.size() ? null : unquoted(words.get(by + 1)));
    }

    private static @Nullable Integer failureNumber(String word) {
        int number = Integer.parseInt(word);
        if (number < 0) {
            throw new IllegalArgumentException("no number of a failure: " + word);
        }
        return number == 0 ? null : Integer.valueOf(number);
    }

    /** Writes a text without blanks and line ends, so that a line can be split at its blanks. */
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
