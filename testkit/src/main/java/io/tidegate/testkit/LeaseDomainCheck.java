package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.DomainSnapshot;
import io.tidegate.testkit.LeaseModel.OffsetState;
import io.tidegate.testkit.LeaseModel.Outcome;
import io.tidegate.testkit.LeaseModel.State;
import io.tidegate.testkit.LeaseOperation.Answer;
import io.tidegate.testkit.LeaseOperation.Kind;
import java.io.Serial;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The check of one domain's history. */
final class LeaseDomainCheck {
    /*
     * An operation happened at some instant between its call and its return; one without a return at any instant after
     * its call, or never. The check goes through the calls and returns in the order of their times, with everything
     * that is possible: which of the called operations have happened, and which state the domain is in then. When an
     * operation returns, it must have happened: where it has not, it happens now, after any of the other called ones
     * whose answers fit. If nothing is possible any more, no order explains the history. Where operations do not
     * overlap, one state is possible and is replayed.
     *
     * Some orders need not be tried:
     *  - An operation that changes nothing happens as soon as its answer fits: if it happened later, the rest could
     *    stay the same.
     *  - An operation without an answer that changes nothing may as well not have happened yet. If it can never change
     *    anything, it is left out.
     *  - Two fences happen in their order.
     *  - Many overlapping renewals of one lease with the same result count as one, which came at any of their times. So
     *    a lease may seem to last a little longer or shorter than it did.
     *  - The acquisitions and the last snapshot show the order of the waiting offsets. An order that does not fit them
     *    fails later, and is tried only if no other is left, so that the reported step is the one that breaks it.
     *    Offsets that are never acquired, and that no answer shows, come in any order: one will do.
     *
     * Where answers were lost, the check first assumes that such operations happened only where nothing else explains
     * the next answers. That mostly explains the history. If it does not, everything is tried.
     *
     * If too much is possible, some of it is dropped. The rest can still explain the history. If it does not, the check
     * runs again and keeps ten times as much. If that does not explain it either, the check reports only what is wrong
     * in any case: an offset that succeeded and gets another answer later, and a fence that is not above an earlier
     * one.
     */
    private static final int MOST = 3_000;
    private static final int MOST_IN_DOUBT = 30_000;
    private static final int TRIED_FOR_EACH = 7;
    private static final int LARGE = 32;
    private static final int MANY = 4;

    /** The state of the domain if all called operations have happened except these, in the order of their calls. */
    private record Possible(State state, List<LeaseOperation> open) {}

    private record Step(LeaseOperation happened, Possible then) {}

    private record Event(long time, LeaseOperation operation, boolean isReturn) {}

    private final List<LeaseOperation> operations;
    private final LeaseModel model;
    private final Map<Long, NavigableSet<Long>> acquisitions = new HashMap<>();
    private final NavigableMap<Long, Long> acquired = new TreeMap<>();
    private final Map<String, Long> fences = new HashMap<>();
    private final Set<Long> askedInVain = new LinkedHashSet<>();
    private boolean takenInVain;
    private final Set<Long> hinted = new LinkedHashSet<>();
    private final Set<Long> replayed = new LinkedHashSet<>();
    private @Nullable LeaseOperation lastSnapshot;
    private Collection<Possible> possible;
    private final boolean sparing;
    private final int most;
    private boolean dropped;
    private int large = LARGE;
    private long now;

    private static final class Undecided extends IllegalStateException {
        @Serial
        private static final long serialVersionUID = 1L;

        Undecided(LeaseOperation step, int most) {
            super("undecided: there are more orders than can be tried, and none of the " + most
                    + " likeliest explains it: " + step);
        }
    }

    private LeaseDomainCheck(List<LeaseOperation> operations, LeaseRules rules, boolean sparing, int most) {
        this.operations = operations;
        this.sparing = sparing;
        this.most = most;
        this.model = new LeaseModel(rules, operations);
        this.possible = List.of(new Possible(model.initial(), List.of()));
        operations.forEach(this::lookAhead);
    }

    private void lookAhead(LeaseOperation operation) {
        Answer answer = operation.answer();
        if (operation.kind == Kind.REPLAY && !operation.code().equals("NOT_FAILED")) {
            replayed.add(operation.offset);
        }
        if (answer == null) {
            if (operation.kind == Kind.TRY_ACQUIRE) {
                askedInVain.add(operation.offset);
            }
            takenInVain |= operation.kind == Kind.TAKE_NEXT;
            return;
        }
        switch (answer.code()) {
            case "ACQUIRED" -> {
                acquisitions
                        .computeIfAbsent(operation.offset, offset -> new TreeSet<>())
                        .add(answer.number());
                acquired.put(answer.number(), operation.offset);
                fences.put(requireNonNull(answer.token()), answer.number());
            }
            case "NEXT_HINT", "GIVE_UP_NEXT_HINT", "BACKLOG_ORDERING" -> hinted.add(answer.number());
            case "SNAPSHOT" -> lastSnapshot = operation;
            default -> {}
        }
    }

    /**
     * Returns the breach, mostly without its story. The operations are in the order of their calls.
     *
     * @throws IllegalStateException if there are more orders than can be tried, and none of those tried explains the
     *     history
     */
    static Optional<LeaseBreach> check(List<LeaseOperation> operations, LeaseRules rules) {
        try {
            return check(operations, rules, MOST);
        } catch (Undecided doubtful) {
            return checkOrCertain(operations, rules, MOST_IN_DOUBT);
        }
    }

    /** Does the same, but is sooner undecided. */
    static Optional<LeaseBreach> checkBriefly(List<LeaseOperation> operations, LeaseRules rules) {
        return checkOrCertain(operations, rules, MOST);
    }

    private static Optional<LeaseBreach> checkOrCertain(List<LeaseOperation> operations, LeaseRules rules, int most) {
        try {
            return check(operations, rules, most);
        } catch (Undecided undecided) {
            return Optional.of(certainBreach(operations).orElseThrow(() -> undecided));
        }
    }

    private static Optional<LeaseBreach> check(List<LeaseOperation> operations, LeaseRules rules, int most) {
        boolean lost = operations.stream().anyMatch(LeaseOperation::isUnknown);
        if (lost && new LeaseDomainCheck(operations, rules, true, most).run().isEmpty()) {
            return Optional.empty();
        }
        return new LeaseDomainCheck(operations, rules, false, most).run();
    }

    private Optional<LeaseBreach> run() {
        List<Event> events = new ArrayList<>();
        for (LeaseOperation operation : operations) {
            events.add(new Event(operation.called, operation, false));
            if (!operation.isUnknown()) {
                events.add(new Event(operation.returned(), operation, true));
            }
        }
        events.sort(Comparator.comparingLong(Event::time).thenComparing(Event::isReturn));
        for (Event event : events) {
            now = event.time;
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

    /** Removes the operations that change nothing now, if they were answered so, or never will. */
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
        if (answer.code().equals("RENEWED") && model.isPerhapsDone(state, operation)) {
            return true;
        }
        return model.outcomes(state, operation).stream()
                .anyMatch(outcome -> state.equals(outcome.answered().apply(answer)));
    }

    private boolean isDead(State state, LeaseOperation operation) {
        if (operation.kind.hasToken()) {
            Long fence = operation.token == null ? null : fences.get(operation.token);
            boolean live =
                    state.lease != null && operation.token != null && operation.token.equals(state.lease.token());
            return fence != null && fence <= state.fence && !live;
        }
        return operation.kind == Kind.INSPECT
                || (operation.kind == Kind.TRY_ACQUIRE
                        && (model.stateOf(state, operation.offset) == OffsetState.PROCESSED
                                || isStuck(state, operation.offset)));
    }

    /** The operation has returned. */
    private Optional<LeaseBreach> happen(LeaseOperation returned) {
        Set<Possible> tried = new LinkedHashSet<>(possible);
        Deque<Possible> next = new ArrayDeque<>(tried);
        Deque<Possible> spare = new ArrayDeque<>();
        Deque<Possible> hopeless = new ArrayDeque<>();
        List<Possible> left = new ArrayList<>();
        while (tried.size() < TRIED_FOR_EACH * most
                && (!next.isEmpty() || (left.isEmpty() && !(spare.isEmpty() && hopeless.isEmpty())))) {
            Possible one = (next.isEmpty() ? (spare.isEmpty() ? hopeless : spare) : next).removeFirst();
            if (!one.open.contains(returned)) {
                left.add(one);
            } else {
                boolean choice = tried.size() > 1 || one.open.size() > 1;
                for (Step step : after(one, returned)) {
                    Possible then = choice ? sorted(step.then) : step.then;
                    if (tried.add(then)) {
                        boolean spared = sparing && step.happened.isUnknown();
                        (choice && !isHopeful(then) ? hopeless : spared ? spare : next).addLast(then);
                    }
                }
            }
        }
        dropped |= !next.isEmpty() || left.size() > most;
        dropped |= left.isEmpty() && !(spare.isEmpty() && hopeless.isEmpty());
        if (dropped && !sparing && (takenInVain || !askedInVain.isEmpty())) {
            throw new Undecided(returned, most);
        }
        if (left.isEmpty()) {
            return Optional.of(breach(returned, tried));
        }
        possible = left.size() > most ? left.subList(0, most) : left;
        return Optional.empty();
    }

    /** Returns what is possible when one more operation has happened, the one that has returned first. */
    private List<Step> after(Possible one, LeaseOperation returned) {
        List<Step> all = new ArrayList<>();
        addAfter(one, returned, all);
        Set<List<?>> unknown = new LinkedHashSet<>();
        for (LeaseOperation operation : one.open) {
            if (operation != returned && (!operation.isUnknown() || unknown.add(operation.what()))) {
                addAfter(one, operation, all);
            }
        }
        return all;
    }

    private void addAfter(Possible one, LeaseOperation operation, List<Step> all) {
        Answer answer = operation.answer();
        List<LeaseOperation> alike = one.open.stream()
                .filter(other -> model.areAlike(operation, other))
                .toList();
        for (Outcome outcome : model.outcomes(one.state, operation)) {
            State state =
                    answer == null ? outcome.unanswered() : outcome.answered().apply(answer);
            if (state != null && !state.equals(one.state) && !isTooEarly(one, operation, state)) {
                State after = alike.size() < MANY ? state : model.afterOneOf(alike, state);
                all.add(new Step(operation, reduced(after, without(one.open, operation))));
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
        return isSilent(one, operation.offset)
                && model.stateOf(after, operation.offset) == OffsetState.QUEUED
                && one.open.stream()
                        .anyMatch(other -> other.called < operation.called
                                && other.code().equals("ENQUEUED")
                                && other.offset != operation.offset
                                && isSilent(one, other.offset)
                                && isPossible(one.state, other));
    }

    /** Whether no later answer shows the offset once it waits. */
    private boolean isSilent(Possible one, long offset) {
        return !isPerhapsAcquired(offset)
                && !hinted.contains(offset)
                && isNeverAcquired(one.state, offset)
                && comingSnapshots(one).stream().noneMatch(shown -> shown.contains(offset));
    }

    /** Whether the answer that showed its acquisition may have been lost. */
    private boolean isPerhapsAcquired(long offset) {
        return takenInVain || askedInVain.contains(offset);
    }

    private boolean isNeverAcquired(State state, long offset) {
        NavigableSet<Long> all = acquisitions.get(offset);
        return all == null || all.higher(state.fence) == null;
    }

    /**
     * Returns the backlogs of the snapshots still to come: those that are open, and the last one if it has not been
     * called.
     */
    private List<List<Long>> comingSnapshots(Possible one) {
        LeaseOperation last = lastSnapshot;
        Stream<LeaseOperation> later = last == null || last.called <= now ? Stream.empty() : Stream.of(last);
        return Stream.concat(later, one.open.stream())
                .filter(operation -> operation.code().equals("SNAPSHOT"))
                .map(operation -> requireNonNull(operation.answer()))
                .map(answer -> answer.numbers()
                        .subList(
                                answer.token() == null ? 2 : 6, answer.numbers().size()))
                .toList();
    }

    /**
     * Whether waiting offsets are in the order in which they are acquired, and stuck ones in that of the last snapshot.
     */
    private boolean isHopeful(Possible one) {
        State state = one.state;
        List<Long> waiting = state.backlog.offsets();
        int stuck = firstStuck(state, waiting);
        Iterator<Long> coming = acquired.tailMap(state.fence, false).values().iterator();
        Long holder = state.lease == null ? null : state.lease.offset();
        for (Long offset : waiting.subList(0, stuck)) {
            if (!isExempt(state, offset)) {
                if (!offset.equals(next(state, coming, holder))) {
                    return false;
                }
                holder = offset;
            }
        }
        if (stuck == waiting.size()) {
            return true;
        }
        List<Long> all = waiting.subList(stuck, waiting.size());
        return next(state, coming, holder) == null
                && comingSnapshots(one).stream().allMatch(shown -> isShown(all, shown));
    }

    /** Whether a snapshot can show these stuck offsets; it may show only the first ones. */
    private static boolean isShown(List<Long> stuck, List<Long> shown) {
        boolean isCut = shown.size() >= DomainSnapshot.MOST_BACKLOG;
        int from = shown.indexOf(stuck.get(0));
        if (from < 0) {
            return isCut;
        }
        int common = Math.min(stuck.size(), shown.size() - from);
        return (common == stuck.size() || isCut)
                && shown.subList(from, from + common).equals(stuck.subList(0, common));
    }

    /** The offset of the next acquisition that is neither a take-over nor exempt. */
    private @Nullable Long next(State state, Iterator<Long> coming, @Nullable Long holder) {
        while (coming.hasNext()) {
            Long offset = coming.next();
            if (!offset.equals(holder) && !isExempt(state, offset)) {
                return offset;
            }
        }
        return null;
    }

    /** The index of the first offset that is surely never acquired. All offsets behind it are stuck, too. */
    private int firstStuck(State state, List<Long> waiting) {
        int place = 0;
        while (place < waiting.size()
                && (isPerhapsAcquired(waiting.get(place)) || !isNeverAcquired(state, waiting.get(place)))) {
            place++;
        }
        return place;
    }

    private boolean isStuck(State state, long offset) {
        List<Long> waiting = state.backlog.offsets();
        return waiting.lastIndexOf(offset) > firstStuck(state, waiting);
    }

    /** The order of stuck offsets does not matter if no answer shows it. */
    private Possible sorted(Possible one) {
        List<Long> waiting = new ArrayList<>(one.state.backlog.offsets());
        int stuck = firstStuck(one.state, waiting);
        if (stuck + 2 >= waiting.size() || !comingSnapshots(one).isEmpty()) {
            return one;
        }
        waiting.subList(stuck + 1, waiting.size()).sort(null);
        return new Possible(one.state.with(WaitingLine.of(waiting)), one.open);
    }

    /** Whether the offset may have been acquired without an answer. */
    private boolean isExempt(State state, long offset) {
        return isPerhapsAcquired(offset) && (replayed.contains(offset) || isNeverAcquired(state, offset));
    }

    private boolean isPossible(State state, LeaseOperation operation) {
        Answer answer = requireNonNull(operation.answer());
        return model.outcomes(state, operation).stream()
                .anyMatch(outcome -> outcome.answered().apply(answer) != null);
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

    // Reports

    private LeaseBreach breach(LeaseOperation step, Set<Possible> tried) {
        if (dropped && !sparing) {
            throw new Undecided(step, most);
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

    /** Finds what is wrong whatever the operations without answers did. */
    private static Optional<LeaseBreach> certainBreach(List<LeaseOperation> operations) {
        Map<String, LeaseOperation> given = new HashMap<>();
        Map<Long, LeaseOperation> succeeded = new HashMap<>();
        for (LeaseOperation operation : operations) {
            Answer answer = operation.answer();
            if (answer != null && answer.code().equals("ACQUIRED")) {
                given.put(requireNonNull(answer.token()), operation);
            }
        }
        for (LeaseOperation operation : operations) {
            LeaseOperation grant = operation.token == null ? null : given.get(operation.token);
            if (grant != null
                    && (operation.code().equals("NO_BACKLOG")
                            || operation.code().equals("NEXT_HINT"))) {
                succeeded.putIfAbsent(grant.offset, operation);
            }
        }
        LeaseOperation highest = null;
        for (LeaseOperation ask : operations) {
            LeaseOperation end = ask.kind == Kind.TRY_ACQUIRE ? succeeded.get(ask.offset) : null;
            if (end != null
                    && !ask.isUnknown()
                    && end.returned() < ask.called
                    && !ask.code().equals("ALREADY_PROCESSED")) {
                LeaseOperation grant = requireNonNull(given.get(requireNonNull(end.token)));
                return Optional.of(certain(LeasePromise.TERMINAL_ONCE, "expected ALREADY_PROCESSED", grant, end, ask));
            }
            if (ask.code().equals("ACQUIRED")) {
                if (highest != null && highest.returned() < ask.called && fence(highest) >= fence(ask)) {
                    String why = "expected a fence above " + fence(highest);
                    return Optional.of(certain(LeasePromise.FENCE_RISES, why, highest, ask));
                }
                highest = highest == null || fence(highest) < fence(ask) ? ask : highest;
            }
        }
        return Optional.empty();
    }

    private static long fence(LeaseOperation acquisition) {
        return requireNonNull(acquisition.answer()).number();
    }

    private static LeaseBreach certain(LeasePromise promise, String why, LeaseOperation... story) {
        return new LeaseBreach(
                story[story.length - 1].toString(),
                promise,
                why,
                Stream.of(story).map(LeaseOperation::toString).toList());
    }
}
