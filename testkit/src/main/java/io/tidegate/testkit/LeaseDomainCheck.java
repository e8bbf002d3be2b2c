package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import io.tidegate.testkit.LeaseModel.Outcome;
import io.tidegate.testkit.LeaseModel.Place;
import io.tidegate.testkit.LeaseModel.State;
import io.tidegate.testkit.LeaseOperation.Answer;
import io.tidegate.testkit.LeaseOperation.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The check of one domain's history. */
final class LeaseDomainCheck {
    /*
     * An operation happened at some instant between its call and its return; one without a return at any instant after its call, or never.
     * The calls and returns are gone through in the order of their times, with all that is possible: which operations that were called have
     * happened, and what state the domain is in then. When an operation returns, it must have happened: where it has not, it does now, after
     * any of the others that have been called, if their answers fit. If nothing is possible any more, no order explains the history. Where
     * operations do not overlap, one state is possible and is replayed.
     *
     * What need not be tried:
     *  - An operation that changes nothing happens as soon as its answer fits: if it happened later, all else could be as it is.
     *  - One without an answer that changes nothing may as well not have happened yet. If it never can change anything, it is left out.
     *  - Two fences happen in their order. So do two that come to wait, in the order in which they are acquired, if each acquisition was seen.
     *    Those that are never acquired, and that nobody is told of, come in any order: one will do.
     *
     * If there is too much that is possible, some of it is dropped. What is left can still explain the history; if it does not, nobody knows.
     */
    private static final int MOST = 3_000;
    private static final int MOST_TRIED = 20_000;
    private static final int LARGE = 32;
    private static final long NEVER_ACQUIRED = Long.MAX_VALUE;

    /** The state of the domain if all operations that were called have happened except for these, in the order of their calls. */
    private record Possible(State state, List<LeaseOperation> open) {}

    private record Event(long time, LeaseOperation operation, boolean isReturn) {}

    private final List<LeaseOperation> operations;
    private final LeaseModel model;
    private final Map<Long, NavigableSet<Long>> acquisitions = new HashMap<>();
    private final Map<String, Long> fences = new HashMap<>();
    private final Set<Long> askedInVain = new LinkedHashSet<>();
    private final Set<Long> toldOf = new LinkedHashSet<>();
    private Collection<Possible> possible;
    private boolean dropped;
    private int large = LARGE;

    LeaseDomainCheck(List<LeaseOperation> operations, LeaseRules rules) {
        this.operations = operations;
        this.model = new LeaseModel(rules, operations);
        this.possible = List.of(new Possible(model.initial(), List.of()));
        operations.forEach(this::lookAhead);
    }

    private void lookAhead(LeaseOperation operation) {
        Answer answer = operation.answer();
        if (answer == null) {
            if (operation.kind == Kind.TRY_ACQUIRE) {
                askedInVain.add(operation.offset);
            }
            return;
        }
        switch (answer.code()) {
            case "ACQUIRED" -> {
                acquisitions
                        .computeIfAbsent(operation.offset, offset -> new TreeSet<>())
                        .add(answer.number());
                fences.put(requireNonNull(answer.token()), answer.number());
            }
            case "NEXT_HINT", "GIVE_UP_NEXT_HINT", "BACKLOG_ORDERING" -> toldOf.add(answer.number());
            case "SNAPSHOT" ->
                toldOf.addAll(answer.numbers()
                        .subList(
                                answer.token() == null ? 2 : 6, answer.numbers().size()));
            default -> {}
        }
    }

    /**
     * Without its story.
     *
     * @throws IllegalStateException if there are more orders than can be tried, and none of those tried explains the history
     */
    Optional<LeaseBreach> check() {
        List<Event> events = new ArrayList<>();
        for (LeaseOperation operation : operations) {
            events.add(new Event(operation.called, operation, false));
            if (!operation.isUnknown()) {
                events.add(new Event(operation.returned(), operation, true));
            }
        }
        events.sort(Comparator.comparingLong(Event::time).thenComparing(Event::isReturn));
        for (Event event : events) {
            if (!event.isReturn) {
                possible = possible.stream()
                        .map(each -> reduced(each.state, with(each.open, event.operation)))
                        .toList();
            } else {
                Optional<LeaseBreach> breach = happen(event.operation);
                if (breach.isPresent()) {
                    return breach;
                }
                settle();
            }
        }
        return Optional.empty();
    }

    private static List<LeaseOperation> with(List<LeaseOperation> open, LeaseOperation called) {
        List<LeaseOperation> longer = new ArrayList<>(open);
        longer.add(called);
        return longer;
    }

    private static List<LeaseOperation> without(List<LeaseOperation> open, LeaseOperation happened) {
        List<LeaseOperation> shorter = new ArrayList<>(open);
        shorter.remove(happened);
        return shorter;
    }

    /** Without the operations that change nothing now, if they were answered so, or never will. */
    private Possible reduced(State state, List<LeaseOperation> open) {
        return new Possible(
                state,
                open.stream()
                        .filter(operation ->
                                operation.isUnknown() ? !isDead(state, operation) : !isNothing(state, operation))
                        .toList());
    }

    private boolean isNothing(State state, LeaseOperation operation) {
        Answer answer = requireNonNull(operation.answer());
        return model.outcomes(state, operation).stream()
                .anyMatch(outcome -> state.equals(outcome.told().apply(answer)));
    }

    private boolean isDead(State state, LeaseOperation operation) {
        if (operation.kind.hasToken()) {
            Long fence = operation.token == null ? null : fences.get(operation.token);
            boolean live =
                    state.lease != null && operation.token != null && operation.token.equals(state.lease.token());
            return fence != null && fence <= state.fence && !live;
        }
        return operation.kind == Kind.INSPECT
                || (operation.kind == Kind.TRY_ACQUIRE && model.place(state, operation.offset) == Place.PROCESSED);
    }

    /** It has returned. */
    private Optional<LeaseBreach> happen(LeaseOperation returned) {
        Set<Possible> tried = new LinkedHashSet<>(possible);
        Deque<Possible> next = new ArrayDeque<>(tried);
        List<Possible> left = new ArrayList<>();
        while (!next.isEmpty() && tried.size() < MOST_TRIED) {
            Possible one = next.removeFirst();
            if (!one.open.contains(returned)) {
                left.add(one);
            } else {
                for (Possible then : after(one, returned)) {
                    if (tried.add(then)) {
                        next.addLast(then);
                    }
                }
            }
        }
        dropped |= !next.isEmpty() || left.size() > MOST;
        if (left.isEmpty()) {
            return Optional.of(breach(returned, tried));
        }
        possible = left.size() > MOST ? left.subList(0, MOST) : left;
        return Optional.empty();
    }

    /** What is possible when one more has happened, the one that has returned first. */
    private List<Possible> after(Possible one, LeaseOperation returned) {
        List<Possible> all = new ArrayList<>();
        addAfter(one, returned, all);
        Set<List<?>> unknown = new LinkedHashSet<>();
        for (LeaseOperation operation : one.open) {
            if (operation != returned && (!operation.isUnknown() || unknown.add(operation.what()))) {
                addAfter(one, operation, all);
            }
        }
        return all;
    }

    private void addAfter(Possible one, LeaseOperation operation, List<Possible> all) {
        Answer answer = operation.answer();
        for (Outcome outcome : model.outcomes(one.state, operation)) {
            State state = answer == null ? outcome.untold() : outcome.told().apply(answer);
            if (state != null && !state.equals(one.state) && !isTooEarly(one, operation, state)) {
                all.add(reduced(state, without(one.open, operation)));
            }
        }
    }

    // What must come before

    private boolean isTooEarly(Possible one, LeaseOperation operation, State after) {
        Answer answer = operation.answer();
        if (answer != null && answer.code().equals("ACQUIRED")) {
            return one.open.stream()
                    .anyMatch(other -> other.code().equals("ACQUIRED")
                            && requireNonNull(other.answer()).number() < answer.number());
        }
        boolean waits = operation.kind == Kind.TRY_ACQUIRE || operation.kind == Kind.REPLAY;
        return waits
                && model.place(after, operation.offset) == Place.QUEUED
                && !askedInVain.contains(operation.offset)
                && one.open.stream().anyMatch(other -> other != operation && isBefore(one.state, other, operation));
    }

    /** Whether the other surely waits before this one, or may as well. */
    private boolean isBefore(State state, LeaseOperation other, LeaseOperation operation) {
        boolean waits = other.code().equals("ENQUEUED") || other.code().equals("REPLAYED");
        if (!waits || other.offset == operation.offset || model.place(state, other.offset) == Place.QUEUED) {
            return false;
        }
        long its = nextAcquisition(state, other.offset);
        long own = nextAcquisition(state, operation.offset);
        return its < own
                || (its == NEVER_ACQUIRED
                        && own == NEVER_ACQUIRED
                        && isSilent(other.offset)
                        && isSilent(operation.offset)
                        && other.called < operation.called
                        && isPossible(state, other));
    }

    private boolean isSilent(long offset) {
        return !toldOf.contains(offset) && !askedInVain.contains(offset);
    }

    private boolean isPossible(State state, LeaseOperation operation) {
        Answer answer = requireNonNull(operation.answer());
        return model.outcomes(state, operation).stream()
                .anyMatch(outcome -> outcome.told().apply(answer) != null);
    }

    private long nextAcquisition(State state, long offset) {
        NavigableSet<Long> all = acquisitions.get(offset);
        Long next = all == null ? null : all.higher(state.fence);
        return next == null ? NEVER_ACQUIRED : next;
    }

    private void settle() {
        int size = possible.iterator().next().state.moved.size();
        if (size < large) {
            return;
        }
        List<Possible> before = List.copyOf(possible);
        List<State> states = model.settle(before.stream().map(Possible::state).toList());
        List<Possible> after = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            after.add(new Possible(states.get(i), before.get(i).open));
        }
        possible = after;
        large = Math.max(LARGE, 2 * states.get(0).moved.size());
    }

    // What is said

    private LeaseBreach breach(LeaseOperation step, Set<Possible> tried) {
        if (dropped) {
            throw new IllegalStateException(
                    "undecided: none of the " + MOST + " likeliest orders explains it, and there are more: " + step);
        }
        Possible last = tried.stream()
                .min(Comparator.comparingLong(LeaseDomainCheck::answered))
                .orElseThrow();
        return new LeaseBreach(
                step.toString(), model.promise(last.state, step), model.why(last.state, step), List.of());
    }

    private static long answered(Possible one) {
        return one.open.stream().filter(operation -> !operation.isUnknown()).count();
    }
}
