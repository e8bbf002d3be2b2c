package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.DomainSnapshot;
import io.tidegate.testkit.LeaseOperation.Answer;
import io.tidegate.testkit.LeaseOperation.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one domain, one operation after the other: the possible answers to an operation in a state, and the
 * state after each.
 */
final class LeaseModel {
    /*
     * The state leaves out what only a lost answer would have shown: the token and the fence of a lease, when it was
     * acquired and how long it lasts. Each of these is null, or the least possible value, until an answer shows it;
     * later answers must then agree.
     */

    /** The state of an offset that the domain has seen. */
    enum OffsetState {
        LEASED,
        QUEUED,
        PROCESSED,
        FAILED
    }

    /**
     * The lease.
     *
     * @param token null while no answer has shown it
     * @param fence the least it can be, while no answer has shown it
     * @param numbered whether an answer has shown the fence
     * @param before how many retries there were when this token was given
     * @param until when it ends by the engine's clock, if an answer said so; {@link #NEVER_SHOWN} if no refusal
     *     shows it
     * @param acquiredAt null while no answer has shown it
     * @param prolonged the time at which it was given or prolonged
     */
    record Lease(
            long offset,
            @Nullable String token,
            long fence,
            boolean numbered,
            @Nullable String owner,
            int retries,
            int before,
            @Nullable Long until,
            @Nullable Long acquiredAt,
            LeaseTime prolonged) {
        @Override
        public String toString() {
            return offset + " leased with fence " + fence + (numbered ? "" : " or more") + " and " + retries
                    + " retries" + (acquiredAt == null ? "" : " at " + acquiredAt);
        }

        Lease shown(@Nullable String its, long number, boolean seen) {
            return new Lease(offset, its, number, seen, owner, retries, before, until, acquiredAt, prolonged);
        }

        Lease acquired(@Nullable Long at) {
            return new Lease(offset, token, fence, numbered, owner, retries, before, until, at, prolonged);
        }

        Lease lasting(@Nullable Long end, LeaseTime at, int failures) {
            return new Lease(offset, token, fence, numbered, owner, failures, before, end, acquiredAt, at);
        }
    }

    /** What is known of the head of the backlog after it was given back. */
    private record Released(int retries, @Nullable Long acquiredAt) {}

    /** The finish that can be repeated. */
    private record Ended(Kind kind, String token, Answer answer) {}

    /**
     * A domain. It does not change once it is handed out, except that entries on which all states agree move from
     * {@code moved} to the model.
     */
    static final class State {
        @Nullable
        Lease lease;

        /** The greatest fence so far, or the least that it can be. */
        long fence = Long.MIN_VALUE;

        private @Nullable Released released;

        boolean known;
        WaitingLine backlog = new WaitingLine();
        Map<Long, OffsetState> moved = Map.of();
        long processed;
        long failed;

        @Nullable
        Long forgotten;

        private @Nullable Ended ended;

        /** The least and the greatest possible number of retries. */
        private int least;

        private int most = Integer.MAX_VALUE;

        private State copy() {
            State copy = new State();
            copy.lease = lease;
            copy.fence = fence;
            copy.released = released;
            copy.known = known;
            copy.backlog = backlog;
            copy.moved = moved;
            copy.processed = processed;
            copy.failed = failed;
            copy.forgotten = forgotten;
            copy.ended = ended;
            copy.least = least;
            copy.most = most;
            return copy;
        }

        private void move(long offset, OffsetState at) {
            moved = new HashMap<>(moved);
            moved.put(offset, at);
        }

        State with(WaitingLine line) {
            State next = copy();
            next.backlog = line;
            return next;
        }

        private State with(Lease other) {
            State next = copy();
            next.lease = other;
            next.fence = Math.max(fence, other.fence);
            return next;
        }

        @Override
        public boolean equals(@Nullable Object object) {
            if (this == object) {
                return true;
            }
            return object instanceof State other
                    && Objects.equals(lease, other.lease)
                    && fence == other.fence
                    && Objects.equals(released, other.released)
                    && known == other.known
                    && backlog.equals(other.backlog)
                    && moved.equals(other.moved)
                    && processed == other.processed
                    && failed == other.failed
                    && Objects.equals(forgotten, other.forgotten)
                    && Objects.equals(ended, other.ended)
                    && least == other.least
                    && most == other.most;
        }

        @Override
        public int hashCode() {
            return Objects.hash(lease, fence, backlog, moved, processed, failed, forgotten, ended);
        }
    }

    /**
     * One way in which an operation can go.
     *
     * @param expected the answer in that case
     * @param answered the state afterwards, if this answer is possible, otherwise null
     * @param unanswered the state afterwards, if the answer is not known
     */
    record Outcome(String expected, Function<Answer, @Nullable State> answered, State unanswered) {
        private static Outcome of(Answer answer, State next) {
            return new Outcome(answer.text(), given -> given.equals(answer) ? next : null, next);
        }

        private static List<Outcome> only(String code, State next) {
            return List.of(of(Answer.of(code), next));
        }
    }

    private static final String NOT_RENEWED = "NOT_RENEWED";

    private static final long NEVER_SHOWN = Long.MIN_VALUE;

    private final LeaseRules rules;
    private final Map<String, LeaseOperation> granted = new HashMap<>();
    private final Map<Long, OffsetState> settled = new HashMap<>();
    private final Set<Long> fences = new HashSet<>();
    private final Set<Long> fencesGivenTwice = new HashSet<>();
    private final Set<Long> endsShown = new HashSet<>();
    private int leastRetries;

    /** Makes the model of the domain of these operations. */
    LeaseModel(LeaseRules rules, Collection<LeaseOperation> operations) {
        this.rules = rules;
        for (LeaseOperation operation : operations) {
            Answer answer = operation.answer();
            if (answer != null && answer.code().equals("ACQUIRED")) {
                granted.putIfAbsent(requireNonNull(answer.token()), operation);
                if (!fences.add(answer.number())) {
                    fencesGivenTwice.add(answer.number());
                }
            } else if (answer != null && answer.code().equals("RETRY_SCHEDULED")) {
                leastRetries = (int) Math.max(leastRetries, answer.number());
            } else if (answer != null && answer.code().equals("HELD_ELSEWHERE")) {
                endsShown.add(answer.number());
            }
        }
    }

    State initial() {
        State state = new State();
        state.least = rules.maxRetries == null ? leastRetries : rules.maxRetries;
        state.most = rules.maxRetries == null ? state.most : rules.maxRetries;
        return state;
    }

    /** Removes from each state the entries on which all agree. */
    List<State> settle(List<State> states) {
        Map<Long, OffsetState> common = new HashMap<>(states.get(0).moved);
        for (State state : states) {
            common.entrySet().retainAll(state.moved.entrySet());
        }
        settled.putAll(common);
        List<State> shorter = new ArrayList<>();
        for (State state : states) {
            State copy = state.copy();
            copy.moved = new HashMap<>(state.moved);
            copy.moved.keySet().removeAll(common.keySet());
            shorter.add(copy);
        }
        return shorter;
    }

    @Nullable
    OffsetState stateOf(State state, long offset) {
        OffsetState at = state.moved.get(offset);
        if (at == null) {
            at = settled.get(offset);
        }
        return at == null && state.forgotten != null && offset <= state.forgotten ? OffsetState.PROCESSED : at;
    }

    /** All possible outcomes of the operation now. */
    List<Outcome> outcomes(State state, LeaseOperation operation) {
        return switch (operation.kind) {
            case TRY_ACQUIRE -> asked(state, operation);
            case SUCCEED, FAIL, RENEW, RELEASE -> withToken(state, operation);
            case REPLAY -> replayed(state, operation.offset);
            case FORGET -> forgotten(state, operation.offset);
            case INSPECT -> inspected(state, operation);
            case PENDING -> listed(state, operation);
            case TAKE_NEXT -> taken(state, operation);
        };
    }

    // WL-1 … WL-4, WL-13

    private List<Outcome> asked(State state, LeaseOperation ask) {
        OffsetState at = stateOf(state, ask.offset);
        if (at == OffsetState.PROCESSED || at == OffsetState.FAILED) {
            return Outcome.only("ALREADY_" + at, state);
        }
        if (at == OffsetState.LEASED) {
            return askedAgain(state, requireNonNull(state.lease), ask);
        }
        if (state.lease != null) {
            return Outcome.only("ENQUEUED", at == OffsetState.QUEUED ? state : enqueued(state, ask.offset));
        }
        Long head = state.backlog.head();
        if (head != null && head != ask.offset) {
            return List.of(Outcome.of(Answer.of("BACKLOG_ORDERING", head), state));
        }
        return List.of(granted(state, ask, ask.offset));
    }

    private static State enqueued(State state, long offset) {
        State next = state.copy();
        next.move(offset, OffsetState.QUEUED);
        next.backlog = state.backlog.with(offset);
        return next;
    }

    /** The head, or the first of all. */
    private Outcome granted(State state, LeaseOperation ask, long offset) {
        Released released = state.released;
        return released == null
                ? granted(state, ask, offset, 0, null)
                : granted(state, ask, offset, released.retries, released.acquiredAt);
    }

    private Outcome granted(State state, LeaseOperation ask, long offset, int retries, @Nullable Long acquiredAt) {
        State next = state.copy();
        Lease unseen = new Lease(
                offset, null, state.fence + 1, false, ask.owner, retries, retries, null, acquiredAt, rules.timeOf(ask));
        if (state.lease == null && state.backlog.head() != null) {
            next.backlog = state.backlog.withoutHead();
            next.released = null;
        }
        next.move(offset, OffsetState.LEASED);
        next.known = true;
        next.least = Math.max(state.least, retries);
        return new Outcome(
                "ACQUIRED",
                given -> given.code().equals("ACQUIRED")
                                && given.number() > state.fence
                                && given.isOfRetries(retries)
                                && isFirstGiven(given.token(), ask)
                        ? next.with(unseen.shown(given.token(), given.number(), true))
                        : null,
                next.with(unseen));
    }

    private boolean isFirstGiven(@Nullable String token, LeaseOperation ask) {
        return token != null && !token.isEmpty() && ask.equals(granted.get(token));
    }

    // WL-33

    /** A call that is repeated after a lost answer may even have taken over the offset of that answer. */
    private List<Outcome> taken(State state, LeaseOperation take) {
        if (!take.isUnknown()) {
            return Outcome.only(take.code(), state);
        }
        if (state.lease != null) {
            return askedAgain(state, state.lease, take);
        }
        Long head = state.backlog.head();
        if (head == null) {
            return List.of();
        }
        return List.of(granted(state, take, head));
    }

    // WL-14, WL-20, WL-21

    private List<Outcome> askedAgain(State state, Lease lease, LeaseOperation ask) {
        List<Outcome> outcomes = new ArrayList<>();
        if (isPerhapsOwner(lease, ask)) {
            outcomes.add(new Outcome(
                    "ALREADY_ACQUIRED",
                    given -> given.code().equals("ALREADY_ACQUIRED") && given.isOfRetries(lease.retries)
                            ? shown(state, lease, given.token(), given.number())
                            : null,
                    state));
        }
        if (isPerhapsStranger(lease, ask) && rules.mayLast(lease.prolonged, ask)) {
            outcomes.add(new Outcome("HELD_ELSEWHERE", given -> held(state, lease, ask, given), state));
        }
        if (isPerhapsStranger(lease, ask) && rules.onEngine && rules.mayBeOver(lease.prolonged, ask)) {
            if (lease.retries < state.most) {
                outcomes.add(granted(state, ask, lease.offset, lease.retries + 1, lease.acquiredAt));
            }
            if (lease.retries >= state.least) {
                outcomes.add(Outcome.of(Answer.of("ALREADY_FAILED"), ended(state, lease, OffsetState.FAILED, false)));
            }
        }
        return outcomes;
    }

    private static boolean isPerhapsOwner(Lease lease, LeaseOperation operation) {
        return lease.owner == null || operation.owner == null || lease.owner.equals(operation.owner);
    }

    private boolean isPerhapsStranger(Lease lease, LeaseOperation operation) {
        boolean known = lease.owner != null && operation.owner != null;
        return known ? !Objects.equals(lease.owner, operation.owner) : rules.onEngine;
    }

    private @Nullable State shown(State state, Lease lease, @Nullable String token, long fence) {
        boolean itsToken = lease.token == null ? isUnseen(token) : lease.token.equals(token);
        if (!itsToken || !isFence(lease, fence)) {
            return null;
        }
        return lease.numbered ? state : state.with(lease.shown(token, fence, true));
    }

    private static boolean isFence(Lease lease, long fence) {
        return lease.numbered ? fence == lease.fence : fence >= lease.fence;
    }

    /** Whether the token can be that of a lease whose answer was lost. */
    private boolean isUnseen(@Nullable String token) {
        return token != null && !token.isEmpty() && !granted.containsKey(token);
    }

    private static @Nullable State held(State state, Lease lease, LeaseOperation ask, Answer given) {
        if (!given.code().equals("HELD_ELSEWHERE")
                || !(lease.owner == null || lease.owner.equals(given.token()))
                || Objects.equals(ask.owner, given.token())) {
            return null;
        }
        if (lease.until == null) {
            return state.with(lease.lasting(given.number(), lease.prolonged, lease.retries));
        }
        return lease.until != NEVER_SHOWN && lease.until == given.number() ? state : null;
    }

    // WL-6, WL-9, WL-22, WL-23

    private List<Outcome> withToken(State state, LeaseOperation operation) {
        if (operation.kind == Kind.RENEW && operation.code().equals(NOT_RENEWED)) {
            return rules.onEngine ? Outcome.only(NOT_RENEWED, state) : List.of();
        }
        Ended last = state.ended;
        if (last != null && last.kind == operation.kind && last.token.equals(operation.token)) {
            return List.of(Outcome.of(last.answer, state));
        }
        Lease lease = state.lease;
        if (lease == null) {
            return Outcome.only("LEASE_NOT_FOUND", state);
        }
        if (lease.token != null) {
            return lease.token.equals(operation.token)
                    ? finished(state, lease, operation)
                    : Outcome.only("TOKEN_MISMATCH", state);
        }
        List<Outcome> outcomes = new ArrayList<>(Outcome.only("TOKEN_MISMATCH", state));
        if (isUnseen(operation.token)) {
            outcomes.addAll(finished(state, lease.shown(operation.token, lease.fence, false), operation));
        }
        return outcomes;
    }

    private List<Outcome> finished(State state, Lease lease, LeaseOperation operation) {
        LeaseTime at = rules.timeOf(operation);
        return switch (operation.kind) {
            case SUCCEED -> List.of(ending(state, lease, operation, OffsetState.PROCESSED, ""));
            case FAIL -> failed(state, lease, operation);
            case RELEASE -> Outcome.only("RELEASED", released(state, lease));
            default ->
                List.of(new Outcome(
                        "RENEWED",
                        given -> given.code().equals("RENEWED")
                                ? state.with(lease.lasting(end(given), after(lease, end(given), at), lease.retries))
                                : null,
                        state.with(lease.lasting(null, at, lease.retries))));
        };
    }

    /**
     * When several renewals count as one, some of them may come after a later renewal whose end no answer shows either.
     */
    private static LeaseTime after(Lease lease, long end, LeaseTime renewal) {
        return end == NEVER_SHOWN ? lease.prolonged.then(renewal) : renewal;
    }

    /** The end that this answer gives a lease. All ends that no refusal shows count as the same. */
    private long end(Answer renewed) {
        return endsShown.contains(renewed.number()) ? renewed.number() : NEVER_SHOWN;
    }

    /** Whether these are two renewals of one lease with the same result, at different times. */
    boolean areAlike(LeaseOperation one, LeaseOperation other) {
        Answer its = one.answer();
        Answer others = other.answer();
        return its != null
                && others != null
                && its.code().equals("RENEWED")
                && others.code().equals("RENEWED")
                && Objects.equals(one.token, other.token)
                && end(its) == end(others);
    }

    /** The state after one of several renewals that are alike. Which of them happened is not known. */
    State afterOneOf(List<LeaseOperation> alike, State after) {
        Lease lease = requireNonNull(after.lease);
        LeaseTime any = alike.stream().map(rules::timeOf).reduce(LeaseTime::or).orElseThrow();
        boolean shown = !Objects.equals(lease.until, NEVER_SHOWN);
        return after.with(lease.lasting(lease.until, shown ? any : lease.prolonged.or(any), lease.retries));
    }

    /** Whether one of several renewals has just prolonged the lease, and it may have been this one. */
    boolean isPerhapsDone(State state, LeaseOperation renewal) {
        Lease lease = state.lease;
        return lease != null
                && Objects.equals(lease.token, renewal.token)
                && Objects.equals(lease.until, NEVER_SHOWN)
                && end(requireNonNull(renewal.answer())) == NEVER_SHOWN
                && lease.prolonged.isAnyOf(rules.timeOf(renewal));
    }

    private List<Outcome> failed(State state, Lease lease, LeaseOperation fail) {
        List<Outcome> outcomes = new ArrayList<>();
        int counted = lease.retries - lease.before;
        int number = fail.failure == null ? counted + 1 : fail.failure;
        if (number <= counted) {
            outcomes.add(Outcome.of(Answer.of("RETRY_SCHEDULED", (long) lease.before + number), state));
        } else if (number == counted + 1) {
            if (lease.retries < state.most && !fail.permanent) {
                State next = state.with(lease.lasting(null, rules.timeOf(fail), lease.retries + 1));
                next.least = Math.max(state.least, lease.retries + 1);
                outcomes.add(Outcome.of(Answer.of("RETRY_SCHEDULED", lease.retries + 1L), next));
            }
            if (lease.retries >= state.least || fail.permanent) {
                outcomes.add(ending(state, lease, fail, OffsetState.FAILED, "GIVE_UP_"));
            }
        }
        return outcomes;
    }

    private Outcome ending(State state, Lease lease, LeaseOperation finish, OffsetState at, String prefix) {
        Long head = state.backlog.head();
        Answer answer = head == null ? Answer.of(prefix + "NO_BACKLOG") : Answer.of(prefix + "NEXT_HINT", head);
        State next = ended(state, lease, at, finish.permanent);
        if (rules.onEngine) {
            next.ended = new Ended(finish.kind, requireNonNull(lease.token), answer);
        }
        return Outcome.of(answer, next);
    }

    private static State ended(State state, Lease lease, OffsetState at, boolean permanent) {
        State next = state.copy();
        next.lease = null;
        next.move(lease.offset, at);
        if (at == OffsetState.FAILED) {
            next.failed++;
            next.most = permanent ? state.most : Math.min(state.most, lease.retries);
        } else {
            next.processed++;
        }
        return next;
    }

    // WL-28

    private static State released(State state, Lease lease) {
        State next = state.copy();
        next.lease = null;
        next.move(lease.offset, OffsetState.QUEUED);
        next.backlog = state.backlog.withHead(lease.offset);
        next.released = new Released(lease.retries, lease.acquiredAt);
        return next;
    }

    // WL-30

    private List<Outcome> listed(State state, LeaseOperation list) {
        boolean free = state.lease == null
                ? state.backlog.head() != null
                : rules.onEngine && rules.mayBeOver(state.lease.prolonged, list);
        return free ? Outcome.only("PENDING", state) : List.of();
    }

    // WL-7, WL-13

    private List<Outcome> replayed(State state, long offset) {
        if (stateOf(state, offset) != OffsetState.FAILED) {
            return Outcome.only("NOT_FAILED", state);
        }
        State next = enqueued(state, offset);
        next.failed--;
        return Outcome.only("REPLAYED", next);
    }

    private static List<Outcome> forgotten(State state, long upTo) {
        if (state.forgotten != null && upTo <= state.forgotten) {
            return Outcome.only("FORGOTTEN", state);
        }
        State next = state.copy();
        next.forgotten = upTo;
        next.known = true;
        return Outcome.only("FORGOTTEN", next);
    }

    private List<Outcome> inspected(State state, LeaseOperation inspect) {
        if (!state.known) {
            return Outcome.only("UNKNOWN", state);
        }
        return List.of(new Outcome(differences(state, inspect.answer()), given -> seen(state, inspect, given), state));
    }

    private @Nullable State seen(State state, LeaseOperation inspect, Answer given) {
        Lease lease = state.lease;
        List<Long> numbers = given.numbers();
        int rest = lease == null ? 2 : 6;
        if (!given.code().equals("SNAPSHOT")
                || (lease == null) != (given.token() == null)
                || numbers.get(0) != state.processed
                || numbers.get(1) != state.failed
                || !numbers.subList(rest, numbers.size()).equals(shownBacklog(state))) {
            return null;
        }
        return lease == null ? state : seenLeased(state, lease, inspect, given);
    }

    /** The first offsets of a long backlog, which a snapshot shows. */
    private static List<Long> shownBacklog(State state) {
        List<Long> waiting = state.backlog.offsets();
        return waiting.subList(0, Math.min(waiting.size(), DomainSnapshot.MOST_BACKLOG));
    }

    private @Nullable State seenLeased(State state, Lease lease, LeaseOperation inspect, Answer given) {
        long acquiredAt = given.numbers().get(4);
        if (given.numbers().get(2) != lease.offset
                || given.numbers().get(5) != lease.retries
                || (lease.acquiredAt != null && lease.acquiredAt != acquiredAt)) {
            return null;
        }
        long fence = given.numbers().get(3);
        State next = null;
        if (requireNonNull(given.token()).isEmpty()) {
            next = isFence(lease, fence) && isPerhapsStranger(lease, inspect) ? state : null;
        } else if (isPerhapsOwner(lease, inspect)) {
            next = shown(state, lease, given.token(), fence);
        }
        if (next == null || lease.acquiredAt != null) {
            return next;
        }
        return next.with(requireNonNull(next.lease).acquired(acquiredAt));
    }

    /** What a snapshot of the domain should have shown instead. */
    private static String differences(State state, @Nullable Answer given) {
        if (given == null || !given.code().equals("SNAPSHOT")) {
            return "SNAPSHOT";
        }
        Lease lease = state.lease;
        List<Long> numbers = given.numbers();
        List<String> parts = new ArrayList<>();
        if (numbers.get(0) != state.processed) {
            parts.add(state.processed + " processed");
        }
        if (numbers.get(1) != state.failed) {
            parts.add(state.failed + " failed");
        }
        List<Long> waiting = shownBacklog(state);
        if (!numbers.subList(given.token() == null ? 2 : 6, numbers.size()).equals(waiting)) {
            parts.add(waiting + " waiting");
        }
        if (parts.isEmpty() || (lease == null) != (given.token() == null)) {
            parts.add(lease == null ? "nothing leased" : lease.toString());
        }
        return String.join(", ", parts);
    }

    // What is broken when no outcome has the answer

    LeasePromise promise(State state, LeaseOperation operation) {
        Answer given = requireNonNull(operation.answer());
        return switch (operation.kind) {
            case TRY_ACQUIRE -> promiseToAsker(state, operation, given);
            case SUCCEED, FAIL, RENEW, RELEASE -> promiseToHolder(state, operation, given);
            case PENDING -> state.lease == null ? LeasePromise.NOTHING_LOST : LeasePromise.ONE_HOLDER;
            case REPLAY -> given.code().equals("REPLAYED") ? LeasePromise.TERMINAL_ONCE : LeasePromise.NOTHING_LOST;
            default -> LeasePromise.NOTHING_LOST;
        };
    }

    private LeasePromise promiseToAsker(State state, LeaseOperation ask, Answer given) {
        OffsetState at = stateOf(state, ask.offset);
        if (at == OffsetState.PROCESSED || at == OffsetState.FAILED) {
            return LeasePromise.TERMINAL_ONCE;
        }
        return switch (given.code()) {
            case "ACQUIRED" -> {
                boolean fenceIsTaken = given.number() <= state.fence && fencesGivenTwice.contains(given.number());
                if (!fenceIsTaken && (!isFirstGiven(given.token(), ask) || !isToBeHad(state, ask))) {
                    Long head = state.backlog.head();
                    boolean overtakes = state.lease == null && head != null && head != ask.offset;
                    yield overtakes ? LeasePromise.FIFO : LeasePromise.ONE_HOLDER;
                }
                yield LeasePromise.FENCE_RISES;
            }
            case "ALREADY_ACQUIRED", "HELD_ELSEWHERE" -> LeasePromise.ONE_HOLDER;
            case "BACKLOG_ORDERING" -> promiseOfHead(state, given.number());
            default -> LeasePromise.NOTHING_LOST;
        };
    }

    private boolean isToBeHad(State state, LeaseOperation ask) {
        return asked(state, ask).stream().anyMatch(outcome -> outcome.expected.startsWith("ACQUIRED"));
    }

    private LeasePromise promiseToHolder(State state, LeaseOperation operation, Answer given) {
        Lease lease = state.lease;
        boolean live = lease != null && (lease.token == null || lease.token.equals(operation.token));
        if (!live) {
            return LeasePromise.ONE_HOLDER;
        }
        return given.code().endsWith("NEXT_HINT") ? promiseOfHead(state, given.number()) : LeasePromise.NOTHING_LOST;
    }

    private LeasePromise promiseOfHead(State state, long head) {
        OffsetState at = stateOf(state, head);
        if (at == OffsetState.PROCESSED || at == OffsetState.FAILED) {
            return LeasePromise.TERMINAL_ONCE;
        }
        return at == OffsetState.QUEUED ? LeasePromise.FIFO : LeasePromise.NOTHING_LOST;
    }

    /** Returns what was expected instead, in plain words. */
    String why(State state, LeaseOperation operation) {
        if (operation.kind == Kind.PENDING) {
            return "expected that it is left out, with " + (state.lease == null ? "nothing to do" : state.lease);
        }
        String expected =
                outcomes(state, operation).stream().map(Outcome::expected).collect(Collectors.joining(" or "));
        boolean fence = promise(state, operation) == LeasePromise.FENCE_RISES;
        return (fence ? "" : timing(state, operation)) + "expected "
                + (expected.isEmpty() ? "a refusal" : expected)
                + (fence ? " with a fence above " + state.fence : "");
    }

    private String timing(State state, LeaseOperation operation) {
        Lease lease = state.lease;
        if (operation.kind != Kind.TRY_ACQUIRE
                || lease == null
                || lease.offset != operation.offset
                || !isPerhapsStranger(lease, operation)) {
            return "";
        }
        boolean held = operation.code().equals("HELD_ELSEWHERE");
        if (held) {
            return rules.mayLast(lease.prolonged, operation) ? "" : "held after its time, ";
        }
        return rules.mayBeOver(lease.prolonged, operation) ? "" : "taken over before its time, ";
    }
}
