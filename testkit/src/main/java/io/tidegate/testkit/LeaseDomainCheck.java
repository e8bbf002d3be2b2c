package io.tidegate.testkit;

import static io.tidegate.testkit.LeaseOperation.NEVER;
import static io.tidegate.testkit.LeasePromise.FENCE_RISES;
import static io.tidegate.testkit.LeasePromise.FIFO;
import static io.tidegate.testkit.LeasePromise.NOTHING_LOST;
import static io.tidegate.testkit.LeasePromise.ONE_HOLDER;
import static io.tidegate.testkit.LeasePromise.TERMINAL_ONCE;
import static java.util.Objects.requireNonNull;

import io.tidegate.testkit.LeaseOperation.Answer;
import io.tidegate.testkit.LeaseOperation.Kind;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The check of one domain's history. */
final class LeaseDomainCheck {
    /*
     * An operation happened at some instant between its call and its return; one without a return at any instant after its call, or never.
     * To search all orders would take forever, but acquisitions need no search: their fences say in which order they happened, and each
     * finish names its acquisition by the token. So the chain of acquisitions and ends is laid out along the fences, each as early as it
     * can have happened; where one would come after its return, no order explains it.
     *
     * All else is a bound on that chain. "Surely before" means: returned before the other was called. An offset waits surely since the
     * first ENQUEUED that returned, and can have come no earlier than its first call; if one waits surely before another has come, and is
     * acquired after it or never, it was overtaken. A finish that says that nothing waits is wrong if somebody surely does; and if it is
     * right, then who was told ENQUEUED and is acquired later came to wait during a later lease, so there must be one by then.
     *
     * Whatever has no return is taken for whatever helps: an acquisition whose answer was lost may have been the one that others were
     * shown; a finish may have ended the lease; on an engine, an unanswered attempt may have taken the lease over or given it up. Where such
     * an operation could explain a gap, the gap is not reported.
     */
    private static final int NOT_ACQUIRED = Integer.MAX_VALUE;

    private final List<LeaseOperation> operations;
    private final boolean engine;
    private final Map<String, Holding> holdings = new HashMap<>();
    private final Map<Long, Work> works = new HashMap<>();
    private final List<Holding> order = new ArrayList<>();
    private final List<LeaseOperation> forgets = new ArrayList<>();
    private final List<LeaseOperation> inspects = new ArrayList<>();
    private Forgotten surelyForgotten = new Forgotten(List.of(), LeaseOperation::returned);
    private Forgotten perhapsForgotten = surelyForgotten;
    private long firstUnknownAsk = NEVER;
    /** Whether an acquisition that nobody saw may have been ended with a token that somebody knew. */
    private boolean unseenLease;

    /** An acquisition. */
    private static final class Holding {
        final LeaseOperation seenBy;
        final Work work;
        final long fence;
        final long low;
        long high;
        long time;
        int position;
        boolean takeOver;

        @Nullable
        LeaseOperation lastShown;

        final List<LeaseOperation> ends = new ArrayList<>();
        final List<LeaseOperation> retries = new ArrayList<>();
        final List<LeaseOperation> unknownFinishes = new ArrayList<>();
        final List<LeaseOperation> refused = new ArrayList<>();
        long endLow = NEVER;
        long endHigh = NEVER;

        Holding(LeaseOperation seenBy, Work work, long fence, long low) {
            this.seenBy = seenBy;
            this.work = work;
            this.fence = fence;
            this.low = low;
            this.high = seenBy.returned();
        }

        boolean endedBy(Kind kind) {
            return !ends.isEmpty() && ends.get(0).kind == kind;
        }

        Answer end() {
            return requireNonNull(ends.get(0).answer());
        }

        long firstUnknown(@Nullable Kind kind) {
            long first = NEVER;
            for (LeaseOperation finish : unknownFinishes) {
                first = kind == null || finish.kind == kind ? Math.min(first, finish.called) : first;
            }
            return first;
        }

        @Override
        public String toString() {
            return "offset " + work.offset + " with fence " + fence;
        }
    }

    /** All that happened to an offset. */
    private static final class Work {
        final long offset;
        final List<LeaseOperation> asks = new ArrayList<>();
        final List<LeaseOperation> replays = new ArrayList<>();
        final List<Holding> holdings = new ArrayList<>();
        boolean unknownReplay;
        long firstUnknownAsk = NEVER;
        long firstAlreadyFailed = NEVER;
        long firstOffered = NEVER;

        Work(long offset) {
            this.offset = offset;
        }

        /** Attempts that on an engine may have taken over or given up. */
        long firstGiveUpByTakeOver() {
            return Math.min(firstUnknownAsk, firstAlreadyFailed);
        }

        long firstReplay() {
            return replays.isEmpty() ? NEVER : replays.get(0).called;
        }

        /** The earliest at which it can have come to wait, or to be acquired at once. */
        long firstArrival() {
            return Math.min(firstOffered, firstReplay());
        }

        /** When it surely was in the domain. */
        long surelyKnown() {
            long known = NEVER;
            for (LeaseOperation ask : asks) {
                switch (ask.code()) {
                    case "ENQUEUED", "ACQUIRED", "ALREADY_ACQUIRED" -> known = Math.min(known, ask.returned());
                    default -> {}
                }
            }
            return known;
        }

        /** It is the last run that succeeds, if one does. */
        long surelySucceeded() {
            Holding last = holdings.isEmpty() ? null : holdings.get(holdings.size() - 1);
            return last != null && last.endedBy(Kind.SUCCEED) ? last.endHigh : NEVER;
        }

        long perhapsSucceeded() {
            long done = NEVER;
            for (Holding holding : holdings) {
                long end = holding.endedBy(Kind.SUCCEED) ? holding.endLow : NEVER;
                done = Math.min(done, Math.min(end, holding.firstUnknown(Kind.SUCCEED)));
            }
            return done;
        }
    }

    /** Since when an offset surely waits, until it is acquired or for good. */
    private record Waiting(long since, LeaseOperation told) {}

    private static final class Broken extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final transient LeaseBreach breach;

        Broken(LeaseBreach breach) {
            super(breach.toString(), null, false, false);
            this.breach = breach;
        }
    }

    /** In the order of their calls. */
    LeaseDomainCheck(List<LeaseOperation> operations, LeaseRules rules) {
        this.operations = operations;
        this.engine = rules == LeaseRules.ENGINE;
    }

    Optional<LeaseBreach> check() {
        try {
            collect();
            collectFinishes();
            layOut();
            holdings.values().forEach(this::checkHolding);
            works.values().forEach(this::checkWork);
            if (!unseenLease) {
                checkBacklog();
            }
            inspects.forEach(this::checkCounts);
            return Optional.empty();
        } catch (Broken broken) {
            return Optional.of(broken.breach);
        }
    }

    private static Broken broken(LeasePromise promise, LeaseOperation step, String why) {
        return new Broken(new LeaseBreach(step.toString(), promise, why));
    }

    // What there is

    private void collect() {
        for (LeaseOperation operation : operations) {
            switch (operation.kind) {
                case TRY_ACQUIRE -> collectAsk(operation, work(operation.offset));
                case REPLAY -> collectReplay(operation, work(operation.offset));
                case FORGET -> forgets.add(operation);
                case INSPECT -> inspects.add(operation);
                default -> {}
            }
        }
        inspects.removeIf(LeaseOperation::isUnknown);
        surelyForgotten = new Forgotten(forgets, LeaseOperation::returned);
        perhapsForgotten = new Forgotten(forgets, forget -> forget.called);
        for (LeaseOperation operation : operations) {
            if (operation.code().equals("ALREADY_ACQUIRED")) {
                collectShown(operation);
            }
        }
        order.addAll(holdings.values());
        order.sort(Comparator.comparingLong(holding -> holding.fence));
    }

    private Work work(long offset) {
        return works.computeIfAbsent(offset, Work::new);
    }

    private void collectAsk(LeaseOperation ask, Work work) {
        work.asks.add(ask);
        if (ask.isUnknown() || ask.code().equals("ENQUEUED") || ask.code().equals("ACQUIRED")) {
            work.firstOffered = Math.min(work.firstOffered, ask.called);
        }
        if (ask.isUnknown()) {
            firstUnknownAsk = Math.min(firstUnknownAsk, ask.called);
            work.firstUnknownAsk = Math.min(work.firstUnknownAsk, ask.called);
        } else if (ask.code().equals("ALREADY_FAILED")) {
            work.firstAlreadyFailed = Math.min(work.firstAlreadyFailed, ask.called);
        } else if (ask.code().equals("ACQUIRED")) {
            Answer answer = requireNonNull(ask.answer());
            Holding before =
                    holdings.put(requireNonNull(answer.token()), new Holding(ask, work, answer.number(), ask.called));
            if (before != null) {
                throw broken(ONE_HOLDER, ask, "its token was given before, by " + before.seenBy);
            }
        }
    }

    private static void collectReplay(LeaseOperation replay, Work work) {
        if (replay.isUnknown()) {
            work.unknownReplay = true;
        }
        if (replay.isUnknown() || replay.code().equals("REPLAYED")) {
            work.replays.add(replay);
        }
    }

    /** A lease that somebody was shown; the one who acquired it may never have got the answer. */
    private void collectShown(LeaseOperation shown) {
        Answer answer = requireNonNull(shown.answer());
        String token = requireNonNull(answer.token());
        Holding holding = holdings.get(token);
        if (holding == null) {
            Work work = work(shown.offset);
            if (work.firstUnknownAsk > shown.returned()) {
                throw broken(ONE_HOLDER, shown, "it shows a lease that nobody has acquired");
            }
            holding = new Holding(shown, work, answer.number(), work.firstUnknownAsk);
            holdings.put(token, holding);
        }
        holding.lastShown = shown;
        if (holding.work.offset != shown.offset || holding.fence != answer.number()) {
            throw broken(ONE_HOLDER, shown, "the token is that of " + holding);
        }
        holding.high = Math.min(holding.high, shown.returned());
    }

    private void collectFinishes() {
        for (LeaseOperation finish : operations) {
            if (finish.kind.hasToken()) {
                Holding holding = finish.token == null ? null : holdings.get(finish.token);
                if (holding != null && finish.kind == Kind.RENEW) {
                    collectRenewal(holding, finish);
                } else if (holding != null) {
                    finishesOf(holding, finish).add(finish);
                } else if (!isRefused(finish)) {
                    collectStranger(finish);
                }
            }
        }
        holdings.values().forEach(this::dateEnd);
    }

    private static boolean isRefused(LeaseOperation finish) {
        return finish.code().equals("LEASE_NOT_FOUND") || finish.code().equals("TOKEN_MISMATCH");
    }

    private static List<LeaseOperation> finishesOf(Holding holding, LeaseOperation finish) {
        if (finish.isUnknown()) {
            return holding.unknownFinishes;
        }
        if (isRefused(finish)) {
            return holding.refused;
        }
        return finish.code().equals("RETRY_SCHEDULED") ? holding.retries : holding.ends;
    }

    private void collectStranger(LeaseOperation finish) {
        if (firstUnknownAsk <= finish.returned()) {
            unseenLease = true;
        } else if (!finish.isUnknown()) {
            throw broken(ONE_HOLDER, finish, "its token was never given");
        }
    }

    /** Who is told that a lease is prolonged is shown by that that it is there. */
    private static void collectRenewal(Holding holding, LeaseOperation renewal) {
        if (isRefused(renewal)) {
            holding.refused.add(renewal);
        } else if (!renewal.isUnknown() && (holding.lastShown == null || holding.lastShown.called < renewal.called)) {
            holding.lastShown = renewal;
        }
    }

    private void dateEnd(Holding holding) {
        for (LeaseOperation end : holding.ends) {
            LeaseOperation first = holding.ends.get(0);
            boolean repeated = engine
                    && first.kind == end.kind
                    && requireNonNull(first.answer()).equals(end.answer());
            if (end != first && !repeated) {
                throw broken(ONE_HOLDER, end, "the lease of " + holding + " was ended before, by " + first);
            }
            holding.endLow = Math.min(holding.endLow, end.called);
            holding.endHigh = Math.min(holding.endHigh, end.returned());
        }
        if (engine && !holding.ends.isEmpty()) {
            holding.endLow = Math.min(holding.endLow, holding.firstUnknown(holding.ends.get(0).kind));
        }
    }

    // The chain of acquisitions and ends

    private void layOut() {
        checkFences();
        long time = Long.MIN_VALUE;
        for (int i = 0; i < order.size(); i++) {
            Holding holding = order.get(i);
            holding.position = i;
            holding.work.holdings.add(holding);
            time = Math.max(time, holding.low);
            if (time > holding.high) {
                throw broken(ONE_HOLDER, holding.seenBy, "it was given before " + order.get(i - 1) + " was ended");
            }
            holding.time = time;
            time = end(holding, i + 1 < order.size() ? order.get(i + 1) : null, time);
        }
    }

    private void checkFences() {
        Holding latest = null;
        Holding before = null;
        for (Holding holding : order) {
            if (before != null && before.fence == holding.fence) {
                throw broken(FENCE_RISES, holding.seenBy, "its fence was given before, by " + before.seenBy);
            }
            if (latest == null || holding.low > latest.low) {
                latest = holding;
            }
            if (latest.low > holding.high) {
                throw broken(FENCE_RISES, latest.seenBy, "a greater fence was given before, by " + holding.seenBy);
            }
            before = holding;
        }
    }

    private long end(Holding holding, @Nullable Holding next, long time) {
        if (!holding.ends.isEmpty()) {
            long ended = Math.max(time, holding.endLow);
            if (ended > holding.endHigh) {
                throw broken(ONE_HOLDER, holding.ends.get(0), "it ended " + holding + " before that was acquired");
            }
            return ended;
        }
        if (next == null) {
            return time;
        }
        if (engine && next.work == holding.work) {
            next.takeOver = true;
            return time;
        }
        long ended = holding.firstUnknown(null);
        if (engine) {
            ended = Math.min(ended, holding.work.firstGiveUpByTakeOver());
        }
        if (ended > next.high) {
            throw broken(ONE_HOLDER, next.seenBy, "it was given while " + holding + " was held, by " + holding.seenBy);
        }
        return Math.max(time, ended);
    }

    private void checkHolding(Holding holding) {
        checkRetries(holding);
        for (LeaseOperation refused : holding.refused) {
            if (holding.high < refused.called && !mayHaveEnded(holding, refused.returned())) {
                throw broken(NOTHING_LOST, refused, "the lease of " + holding + " was given and nobody has ended it");
            }
        }
        if (holding.lastShown != null && holding.lastShown.called > holding.endHigh) {
            throw broken(ONE_HOLDER, holding.lastShown, "it shows a lease that had ended, by " + holding.ends.get(0));
        }
        int next = holding.position + 1;
        if (holding.lastShown != null && next < order.size() && order.get(next).high < holding.lastShown.called) {
            throw broken(
                    ONE_HOLDER, holding.lastShown, "another lease had been given since, by " + order.get(next).seenBy);
        }
    }

    private boolean mayHaveEnded(Holding holding, long by) {
        if (holding.endLow <= by || holding.firstUnknown(null) <= by) {
            return true;
        }
        int next = holding.position + 1;
        return engine
                && (holding.work.firstGiveUpByTakeOver() <= by || (next < order.size() && order.get(next).low <= by));
    }

    private void checkRetries(Holding holding) {
        holding.retries.sort(Comparator.comparingLong(LeaseDomainCheck::number));
        long time = holding.time;
        long last = 0;
        for (LeaseOperation retry : holding.retries) {
            if (number(retry) == last) {
                throw broken(NOTHING_LOST, retry, "another failure was counted as the same, so one of them is lost");
            }
            last = number(retry);
            time = Math.max(time, retry.called);
            if (time > retry.returned()) {
                throw broken(NOTHING_LOST, retry, "it counts failures that had not happened");
            }
            if (time > holding.endHigh) {
                throw broken(ONE_HOLDER, retry, "the lease of " + holding + " had ended, by " + holding.ends.get(0));
            }
        }
        int failures = holding.retries.size() + holding.unknownFinishes.size();
        if (!engine && last > failures) {
            throw broken(
                    NOTHING_LOST,
                    holding.retries.get(holding.retries.size() - 1),
                    "it counts failures that nobody told");
        }
    }

    private static long number(LeaseOperation operation) {
        return requireNonNull(operation.answer()).number();
    }

    // What became of an offset

    private void checkWork(Work work) {
        GiveUps giveUps = new GiveUps(work);
        checkRunsAgain(work, giveUps);
        checkReplayCount(work, giveUps);
        boolean forgottenUnseen =
                !work.asks.isEmpty() && surelyForgotten.covers(work.offset, work.asks.get(0).called - 1);
        Fate fate = new Fate(work.surelySucceeded(), work.perhapsSucceeded(), work.surelyKnown(), forgottenUnseen);
        for (LeaseOperation ask : work.asks) {
            if (!ask.isUnknown()) {
                checkAnswer(work, ask, giveUps, fate);
            }
        }
    }

    private void checkRunsAgain(Work work, GiveUps giveUps) {
        for (int i = 1; i < work.holdings.size(); i++) {
            Holding before = work.holdings.get(i - 1);
            Holding again = work.holdings.get(i);
            if (again.takeOver && again.position == before.position + 1) {
                continue;
            }
            if (before.endedBy(Kind.SUCCEED)) {
                throw broken(TERMINAL_ONCE, again.seenBy, "the offset had succeeded, by " + before.ends.get(0));
            }
            boolean mayHaveFailed = before.endedBy(Kind.FAIL)
                    || before.firstUnknown(Kind.FAIL) < NEVER
                    || (engine && work.firstGiveUpByTakeOver() < NEVER);
            if (!mayHaveFailed && !unseenLease) {
                throw broken(TERMINAL_ONCE, again.seenBy, "the offset had been acquired, by " + before.seenBy);
            }
            long failed = before.endedBy(Kind.FAIL) ? before.endLow : before.low;
            if (upTo(giveUps.perhapsReplayed, again.high) <= before(giveUps.surelyReplayed, failed)) {
                throw broken(TERMINAL_ONCE, again.seenBy, "the offset had failed and nobody replayed it since");
            }
        }
    }

    private void checkReplayCount(Work work, GiveUps giveUps) {
        long replayed =
                work.replays.stream().filter(replay -> !replay.isUnknown()).count();
        if (!engine && !unseenLease && replayed > giveUps.perhaps.length) {
            throw broken(
                    TERMINAL_ONCE,
                    work.replays.get(work.replays.size() - 1),
                    "it was replayed more often than it failed for good");
        }
    }

    /** When an offset failed for good, and when it was replayed; each sorted. */
    private static final class GiveUps {
        final long[] surely;
        final long[] perhaps;
        final long[] surelyReplayed;
        final long[] perhapsReplayed;

        GiveUps(Work work) {
            List<Long> acknowledged = new ArrayList<>();
            List<Long> possible = new ArrayList<>();
            for (Holding holding : work.holdings) {
                if (holding.endedBy(Kind.FAIL)) {
                    acknowledged.add(holding.endHigh);
                    possible.add(holding.endLow);
                } else if (holding.firstUnknown(Kind.FAIL) < NEVER) {
                    possible.add(holding.firstUnknown(Kind.FAIL));
                }
            }
            surely = sorted(acknowledged);
            perhaps = sorted(possible);
            surelyReplayed =
                    sorted(work.replays.stream().map(LeaseOperation::returned).toList());
            perhapsReplayed =
                    sorted(work.replays.stream().map(replay -> replay.called).toList());
        }
    }

    /** When an offset was processed and when it was in the domain at all; whether it was forgotten before anybody asked for it. */
    private record Fate(long surelySucceeded, long perhapsSucceeded, long surelyKnown, boolean forgottenUnseen) {}

    private void checkAnswer(Work work, LeaseOperation ask, GiveUps giveUps, Fate fate) {
        String code = ask.code();
        if (!code.equals("ALREADY_PROCESSED")) {
            if (ask.called > fate.surelySucceeded) {
                throw broken(TERMINAL_ONCE, ask, "the offset had succeeded at step " + fate.surelySucceeded);
            }
            if (fate.forgottenUnseen) {
                throw broken(TERMINAL_ONCE, ask, "the offset had been forgotten before anybody asked for it");
            }
        }
        if (code.equals("ALREADY_FAILED")) {
            boolean takeOver = engine && (!work.holdings.isEmpty() || work.firstUnknownAsk <= ask.returned());
            if (!takeOver
                    && !unseenLease
                    && upTo(giveUps.perhaps, ask.returned()) <= before(giveUps.surelyReplayed, ask.called)) {
                throw broken(NOTHING_LOST, ask, "nobody has given the offset up");
            }
        } else if (before(giveUps.surely, ask.called) > upTo(giveUps.perhapsReplayed, ask.returned())) {
            throw broken(TERMINAL_ONCE, ask, "the offset had failed for good");
        }
        if (code.equals("ALREADY_PROCESSED")
                && !unseenLease
                && fate.perhapsSucceeded > ask.returned()
                && !perhapsForgotten.covers(work.offset, Math.min(ask.returned(), fate.surelyKnown))) {
            throw broken(NOTHING_LOST, ask, "nobody has processed the offset");
        }
        if (code.equals("BACKLOG_ORDERING")) {
            checkHead(ask, number(ask), ask.called, ask.returned());
        }
    }

    /** What is said to be at the head has come, and is not done. */
    private void checkHead(LeaseOperation step, long head, long called, long returned) {
        Work work = works.get(head);
        if (work == null || work.firstArrival() > returned) {
            throw broken(NOTHING_LOST, step, "nobody has enqueued " + head);
        }
        if (work.surelySucceeded() < called) {
            throw broken(TERMINAL_ONCE, step, "nobody can take the head, which had succeeded");
        }
    }

    /** Up to which offset was forgotten by when. */
    private static final class Forgotten {
        private final long[] times;
        private final long[] highest;

        Forgotten(List<LeaseOperation> forgets, ToLongFunction<LeaseOperation> time) {
            List<LeaseOperation> sorted = new ArrayList<>(forgets);
            sorted.sort(Comparator.comparingLong(time));
            times = sorted.stream().mapToLong(time).toArray();
            highest = sorted.stream().mapToLong(forget -> forget.offset).toArray();
            Arrays.parallelPrefix(highest, Math::max);
        }

        boolean covers(long offset, long by) {
            int count = upTo(times, by);
            return count > 0 && highest[count - 1] >= offset;
        }
    }

    // The backlog

    private void checkBacklog() {
        long[] arrivals = new long[order.size()];
        Arrays.fill(arrivals, Long.MIN_VALUE);
        @Nullable Waiting[] waitsFor = new Waiting[order.size() + 1];
        for (Work work : works.values()) {
            placeFirst(work, arrivals, waitsFor);
            placeReplays(work, arrivals, waitsFor);
        }
        Waiting longest = waitsFor[order.size()];
        for (int i = order.size() - 1; i >= 0; i--) {
            Holding holding = order.get(i);
            if (longest != null && longest.since < arrivals[i]) {
                throw broken(FIFO, holding.seenBy, "another offset waited before this one came: " + longest.told);
            }
            checkHint(holding, longest);
            longest = earlier(longest, waitsFor[i]);
        }
        if (firstUnknownAsk == NEVER) {
            checkWakeUps();
        }
    }

    private static @Nullable Waiting earlier(@Nullable Waiting one, @Nullable Waiting other) {
        return one == null || (other != null && other.since < one.since) ? other : one;
    }

    private static void placeFirst(Work work, long[] arrivals, @Nullable Waiting[] waitsFor) {
        int position = work.holdings.isEmpty() ? NOT_ACQUIRED : work.holdings.get(0).position;
        if (position < NOT_ACQUIRED) {
            arrivals[position] = work.firstArrival();
        }
        for (LeaseOperation ask : work.asks) {
            if (ask.code().equals("ENQUEUED") && ask.returned() < work.firstReplay()) {
                place(work, position, new Waiting(ask.returned(), ask), waitsFor);
            }
        }
    }

    /**
     * Replays that came one after the other, each of them answered, belong to the acquisitions after the first in their order; not so if one
     * of these may have been a take-over.
     */
    private static void placeReplays(Work work, long[] arrivals, @Nullable Waiting[] waitsFor) {
        List<Holding> runs = work.holdings;
        int count = work.replays.size();
        if (work.unknownReplay
                || runs.size() < count
                || runs.size() > count + 1
                || runs.stream().anyMatch(run -> run.takeOver)
                || overlap(work.replays)) {
            return;
        }
        for (int i = 0; i < count; i++) {
            LeaseOperation replay = work.replays.get(i);
            int position = i + 1 < runs.size() ? runs.get(i + 1).position : NOT_ACQUIRED;
            if (position < NOT_ACQUIRED) {
                arrivals[position] = replay.called;
            }
            place(work, position, new Waiting(replay.returned(), replay), waitsFor);
        }
    }

    private static boolean overlap(List<LeaseOperation> replays) {
        for (int i = 1; i < replays.size(); i++) {
            if (replays.get(i - 1).returned() >= replays.get(i).called) {
                return true;
            }
        }
        return false;
    }

    private static void place(Work work, int position, Waiting waiting, @Nullable Waiting[] waitsFor) {
        if (position < NOT_ACQUIRED) {
            waitsFor[position] = earlier(waitsFor[position], waiting);
        } else if (work.firstUnknownAsk == NEVER) {
            int last = waitsFor.length - 1;
            waitsFor[last] = earlier(waitsFor[last], waiting);
        }
    }

    private void checkHint(Holding holding, @Nullable Waiting longest) {
        if (holding.ends.isEmpty()) {
            return;
        }
        LeaseOperation end = holding.ends.get(0);
        if (saysNoBacklog(holding)) {
            if (longest != null && longest.since < holding.endLow) {
                throw broken(NOTHING_LOST, end, "an offset was enqueued and waits: " + longest.told);
            }
            return;
        }
        long hint = holding.end().number();
        checkHead(end, hint, holding.endLow, holding.endHigh);
        int next = holding.position + 1;
        if (next < order.size() && order.get(next).work.offset != hint && work(hint).firstUnknownAsk == NEVER) {
            throw broken(FIFO, order.get(next).seenBy, "the head was " + hint + ", as was told by " + end);
        }
    }

    private static boolean saysNoBacklog(Holding holding) {
        return !holding.ends.isEmpty() && holding.end().code().endsWith("NO_BACKLOG");
    }

    /** Who was told ENQUEUED after a finish that saw nobody wait came during a later lease, whose end will tell of it. */
    private void checkWakeUps() {
        int[] lastNoBacklog = new int[order.size() + 1]; // before that position, or -1
        lastNoBacklog[0] = -1;
        for (int i = 0; i < order.size(); i++) {
            lastNoBacklog[i + 1] = saysNoBacklog(order.get(i)) ? i : lastNoBacklog[i];
        }
        for (Work work : works.values()) {
            int position = work.holdings.isEmpty() ? order.size() : work.holdings.get(0).position;
            int empty = lastNoBacklog[position];
            if (empty >= 0) {
                long leasedAgain = empty + 1 == position ? NEVER : order.get(empty + 1).time;
                for (LeaseOperation ask : work.asks) {
                    if (ask.code().equals("ENQUEUED") && ask.returned() < Math.min(leasedAgain, work.firstReplay())) {
                        throw broken(
                                NOTHING_LOST,
                                ask,
                                "nothing was leased, and nobody is told of it: "
                                        + order.get(empty).ends.get(0));
                    }
                }
            }
        }
    }

    // Counts

    private long @Nullable [] surelyDone;
    private long @Nullable [] perhapsDone;

    private void checkCounts(LeaseOperation inspect) {
        if (surelyDone == null || perhapsDone == null) {
            List<Long> surely = new ArrayList<>();
            List<Long> perhaps = new ArrayList<>();
            for (Holding holding : order) {
                if (holding.endedBy(Kind.SUCCEED)) {
                    surely.add(holding.endHigh);
                    perhaps.add(holding.endLow);
                } else if (holding.firstUnknown(Kind.SUCCEED) < NEVER) {
                    perhaps.add(holding.firstUnknown(Kind.SUCCEED));
                }
            }
            surelyDone = sorted(surely);
            perhapsDone = sorted(perhaps);
        }
        long processed = number(inspect);
        if (processed < before(surelyDone, inspect.called)) {
            throw broken(
                    NOTHING_LOST, inspect, before(surelyDone, inspect.called) + " offsets had succeeded at the least");
        }
        if (!unseenLease && processed > upTo(perhapsDone, inspect.returned())) {
            throw broken(
                    NOTHING_LOST,
                    inspect,
                    upTo(perhapsDone, inspect.returned()) + " offsets had succeeded at the most");
        }
    }

    private static long[] sorted(List<Long> times) {
        return times.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** How many of the times are before this one. */
    private static int before(long[] sorted, long time) {
        return time == Long.MIN_VALUE ? 0 : upTo(sorted, time - 1);
    }

    /** How many of the times are not after this one. */
    private static int upTo(long[] sorted, long time) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (sorted[middle] <= time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
