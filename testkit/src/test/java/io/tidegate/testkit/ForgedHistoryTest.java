package io.tidegate.testkit;

import static io.tidegate.testkit.LeaseRules.IN_MEMORY;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import io.tidegate.testkit.HistoryJudge.Step;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Takes true histories, changes one thing, and demands that the check catches each change. Some changes give another
 * history that is true: {@link HistoryJudge} finds those.
 */
class ForgedHistoryTest {
    private static final int SCRIPTS = Integer.getInteger("tidegate.forgedHistories", 100);
    private static final int FORGERIES = 40;
    private static final long BUDGET = 3_000;
    private static final List<Change> CHANGES = List.of(Change.values());
    private static final List<String> CODES = List.of(
            "ACQUIRED %t %n",
            "ALREADY_ACQUIRED %t %n",
            "ENQUEUED",
            "ALREADY_PROCESSED",
            "ALREADY_FAILED",
            "HELD_ELSEWHERE %t %n",
            "NO_BACKLOG",
            "NEXT_HINT %n",
            "RETRY_SCHEDULED %n",
            "GIVE_UP_NO_BACKLOG",
            "GIVE_UP_NEXT_HINT %n",
            "BACKLOG_ORDERING %n",
            "TOKEN_MISMATCH",
            "LEASE_NOT_FOUND",
            "REPLAYED",
            "NOT_FAILED",
            "FORGOTTEN",
            "UNKNOWN",
            "RENEWED %n",
            "NOT_RENEWED",
            "RELEASED",
            "PENDING");

    // True histories of one domain

    private static void play(WorkLease lease, Random random, int steps, Runnable before) {
        List<String> tokens = new ArrayList<>(List.of("stranger's"));
        for (int i = 0; i < steps; i++) {
            before.run();
            step(lease, random, tokens);
        }
    }

    @SuppressWarnings("EmptyCatch") // the history records refusals, too
    private static void step(WorkLease lease, Random random, List<String> tokens) {
        long offset = 1 + random.nextInt(4);
        String token = tokens.get(Math.max(0, tokens.size() - 1 - random.nextInt(2)));
        try {
            switch (random.nextInt(12)) {
                case 0, 1 -> lease.succeed("A", token);
                case 2, 3 -> lease.fail("A", token);
                case 4 -> lease.replay("A", offset);
                case 5 -> {
                    if (random.nextBoolean()) {
                        lease.forget("A", offset - 2);
                    } else {
                        lease.fail("A", token, new Failure(0, true, ""));
                    }
                }
                case 6 -> lease.inspect("A");
                default -> {
                    AcquireResult answer = lease.tryAcquire("A", offset);
                    if (answer instanceof AcquireResult.Acquired acquired) {
                        tokens.add(acquired.token());
                    }
                }
            }
        } catch (BacklogOrderingException | TokenMismatchException | LeaseNotFoundException refused) {
            // nothing has changed
        }
    }

    private static List<Step> alone(long seed) {
        LeaseHistory history = new LeaseHistory();
        WorkLease lease = history.recording(WorkLease.inMemory((int) (seed % 3)));
        play(lease, new Random(seed), 4 + (int) (seed % 9), () -> {});
        return steps(history.lines());
    }

    /** Runs threads that begin each step together. */
    private static List<Step> together(long seed, int threads, int steps) throws InterruptedException {
        LeaseHistory history = new LeaseHistory();
        WorkLease lease = history.recording(WorkLease.inMemory((int) (seed % 3)));
        Phaser phaser = new Phaser(threads);
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Random random = new Random(seed * threads + i);
            workers.add(new Thread(() -> play(lease, random, steps, phaser::arriveAndAwaitAdvance)));
        }
        workers.forEach(Thread::start);
        for (Thread worker : workers) {
            worker.join();
        }
        return steps(history.lines());
    }

    /**
     * Records two owners, whose calls follow one another. The numbers of the steps are nanoseconds of the engine's
     * clock.
     */
    private static List<Step> onEngine(long seed) {
        Random random = new Random(seed);
        ManualClock clock = new ManualClock();
        InMemorySharedLease.Store store = new InMemorySharedLease.Store(clock);
        AtomicLong parts = new AtomicLong();
        List<String> lines = new ArrayList<>();
        LeaseHistory history =
                new LeaseHistory("p", () -> clock.millis() * EngineJudge.NANOS + parts.getAndIncrement(), lines::add);
        List<SharedWorkLease> owners = new ArrayList<>();
        for (String owner : List.of("one", "two")) {
            owners.add(history.recording(store.lease("orders", (int) (seed % 3), owner, EngineJudge.DURATION)));
        }
        List<String> tokens = new ArrayList<>(List.of("stranger's"));
        for (int i = 0; i < 6 + seed % 9; i++) {
            clock.advance(EngineJudge.step(random));
            parts.set(0);
            SharedWorkLease owner = owners.get(random.nextInt(2));
            if (random.nextInt(3) == 0) {
                step(owner, random, tokens);
            } else {
                engineStep(owner, random, tokens);
            }
        }
        return steps(lines);
    }

    @SuppressWarnings("EmptyCatch") // the history records refusals, too
    private static void engineStep(SharedWorkLease lease, Random random, List<String> tokens) {
        String token = tokens.get(Math.max(0, tokens.size() - 1 - random.nextInt(8) / 7));
        try {
            switch (random.nextInt(8)) {
                case 0 -> lease.renewAll(List.of(new SharedWorkLease.Finish("A", token)));
                case 1, 2 -> lease.release("A", token);
                case 3 -> lease.pending(9, "");
                case 4 -> lease.fail("A", token, 1);
                case 5 -> lease.fail("A", token, new Failure(random.nextInt(2), true, "no use"));
                default -> {
                    Optional<Long> head = lease.inspect("A")
                            .flatMap(domain -> domain.lease()
                                    .map(LeaseRecord::currentOffset)
                                    .or(() -> domain.backlog().stream().findFirst()));
                    if (lease.tryAcquire("A", head.orElse(1L)) instanceof AcquireResult.Acquired acquired) {
                        tokens.add(acquired.token());
                    }
                }
            }
        } catch (BacklogOrderingException | TokenMismatchException | LeaseNotFoundException refused) {
            // nothing has changed
        }
    }

    private static List<Step> steps(List<String> lines) {
        Map<String, String> answers = new HashMap<>();
        Map<String, Long> returns = new HashMap<>();
        for (String line : lines) {
            String[] words = line.split(" ", 5);
            if (words[3].equals("=")) {
                answers.put(words[2], words[4]);
                returns.put(words[2], Long.parseLong(words[0]));
            }
        }
        List<Step> steps = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ", 4);
            if (!words[3].startsWith("= ")) {
                steps.add(new Step(
                        10 * Long.parseLong(words[0]), 10 * returns.get(words[2]), words[3], answers.get(words[2])));
            }
        }
        return steps;
    }

    private static LeaseHistory history(List<Step> steps) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            lines.add(step.called() + " \"p\" " + i + " " + step.call());
            if (step.answer() != null) {
                lines.add(step.returned() + " \"p\" " + i + " = " + step.answer());
            }
        }
        return LeaseHistory.read(lines);
    }

    // Changes

    private enum Change {
        DROP,
        DOUBLE,
        SWAP,
        LOSE,
        ANSWER,
        NUMBER,
        TOKEN,
        OFFSET;

        /** Returns the history with one thing changed, or null if this change cannot be made there. */
        @Nullable
        List<Step> of(List<Step> steps, Random random) {
            List<Step> forged = new ArrayList<>(steps);
            int at = random.nextInt(steps.size());
            Step step = steps.get(at);
            switch (this) {
                case DROP -> forged.remove(at);
                case DOUBLE ->
                    forged.add(new Step(step.returned() + 1, step.returned() + 2, step.call(), step.answer()));
                case SWAP -> {
                    Step other = steps.get((at + 1) % steps.size());
                    forged.set(at, new Step(step.called(), step.returned(), other.call(), other.answer()));
                    forged.set(
                            (at + 1) % steps.size(),
                            new Step(other.called(), other.returned(), step.call(), step.answer()));
                }
                case LOSE -> forged.set(at, new Step(step.called(), Long.MAX_VALUE, step.call(), null));
                case OFFSET -> forged.set(at, with(step, number(step.call(), random), step.answer()));
                case NUMBER -> forged.set(at, with(step, step.call(), number(step.answer(), random)));
                case ANSWER -> forged.set(at, with(step, step.call(), any(steps, random)));
                default -> {
                    String token = token(steps, random);
                    boolean inCall = random.nextBoolean();
                    String quoted = "(?<= )\"(?!A\")[^\"]*\"";
                    forged.set(
                            at,
                            inCall
                                    ? with(step, step.call().replaceFirst(quoted, token), step.answer())
                                    : with(step, step.call(), step.answer().replaceFirst(quoted, token)));
                }
            }
            return forged.equals(steps) || forged.isEmpty() ? null : forged;
        }

        private static Step with(Step step, String call, String answer) {
            return new Step(step.called(), step.returned(), call, answer);
        }

        /** Changes one of the numbers in the text, a little or a lot. */
        private static String number(String text, Random random) {
            String[] words = text.split(" ", -1);
            List<Integer> numbers = new ArrayList<>();
            for (int i = 1; i < words.length; i++) {
                if (words[i].matches("-?\\d+")) {
                    numbers.add(i);
                }
            }
            if (!numbers.isEmpty()) {
                int one = numbers.get(random.nextInt(numbers.size()));
                long by = random.nextInt(4) == 0 ? 999 : 1;
                long changed = Long.parseLong(words[one]) + (random.nextBoolean() ? by : -by);
                words[one] = Long.toString(words[0].equals("fail") ? Math.abs(changed) : changed);
            }
            return String.join(" ", words);
        }

        private static String any(List<Step> steps, Random random) {
            if (random.nextInt(3) == 0) {
                return steps.get(random.nextInt(steps.size())).answer();
            }
            return CODES.get(random.nextInt(CODES.size()))
                    .replace("%t", token(steps, random))
                    .replace("%n", Integer.toString(1 + random.nextInt(5)));
        }

        private static String token(List<Step> steps, Random random) {
            List<String> tokens = new ArrayList<>(Stream.concat(
                            Stream.of("\"other\"", "\"\""),
                            steps.stream().map(Step::tokenGiven).filter(token -> token != null))
                    .toList());
            return tokens.get(random.nextInt(tokens.size()));
        }
    }

    private static final class Tally {
        private int made;
        private int caught;
        private int alsoTrue;
        private int notJudged;

        @Override
        public String toString() {
            return made + " made, " + caught + " caught, " + alsoTrue + " true as well, " + notJudged + " not judged";
        }
    }

    /** Decides whether a history is possible; empty if it cannot decide. */
    private interface Judge {
        Optional<Boolean> isPossible(List<Step> steps, int maxRetries);
    }

    private static void forge(List<Step> steps, long seed, Map<Change, Tally> tallies) {
        forge(
                steps,
                seed,
                IN_MEMORY,
                (forged, maxRetries) -> HistoryJudge.isPossible(forged, maxRetries, BUDGET),
                tallies);
    }

    private static void forge(List<Step> steps, long seed, LeaseRules where, Judge judge, Map<Change, Tally> tallies) {
        int maxRetries = (int) (seed % 3);
        LeaseRules rules = where.withMaxRetries(maxRetries);
        assertThat(history(steps).check(rules)).as("seed " + seed + " is true").isEmpty();
        Random random = new Random(seed);
        for (int i = 0; i < FORGERIES; i++) {
            Change change = CHANGES.get(random.nextInt(CHANGES.size()));
            List<Step> forged = change.of(steps, random);
            if (forged != null) {
                Tally tally = tallies.computeIfAbsent(change, any -> new Tally());
                Optional<LeaseBreach> breach = history(forged).check(rules);
                Optional<Boolean> possible = judge.isPossible(forged, maxRetries);
                tally.made++;
                tally.caught += breach.isPresent() ? 1 : 0;
                tally.alsoTrue += possible.orElse(false) ? 1 : 0;
                tally.notJudged += possible.isEmpty() ? 1 : 0;
                assertThat(possible.orElse(breach.isEmpty()))
                        .as(() -> "seed " + seed + " " + change + " maxRetries " + maxRetries + " " + breach + "\n"
                                + String.join("\n", history(forged).lines()))
                        .isEqualTo(breach.isEmpty());
            }
        }
    }

    @Test
    @DisplayName(
            "WL-1 … WL-14 one thing changed in a true history of one thread is caught, unless that is possible, too")
    void check_oneThingChanged_isCaught() {
        Map<Change, Tally> tallies = new EnumMap<>(Change.class);
        for (int seed = 0; seed < SCRIPTS; seed++) {
            forge(alone(seed), seed, tallies);
        }
        System.out.println("forged histories of one thread: " + tallies);
        assertThat(tallies.values()).allMatch(tally -> tally.notJudged == 0);
        assertEachCaught(tallies);
    }

    @Test
    @DisplayName("WL-11 the same in a true history of threads that meet, where all orders can be tried by brute force")
    void check_oneThingChangedAmongThreads_isCaught() throws InterruptedException {
        Map<Change, Tally> tallies = new EnumMap<>(Change.class);
        for (int seed = 0; seed < SCRIPTS; seed++) {
            forge(together(seed, 3, 3), seed, tallies);
        }
        System.out.println("forged histories of threads: " + tallies);
        assertEachCaught(tallies);
    }

    @Test
    @DisplayName(
            "WL-20 … WL-23, WL-28 … WL-30 the same in a true history of two owners on an engine, one call at a time")
    void check_oneThingChangedOnAnEngine_isCaught() {
        Map<Change, Tally> tallies = new EnumMap<>(Change.class);
        for (int seed = 0; seed < SCRIPTS; seed++) {
            forge(onEngine(seed), seed, EngineJudge.RULES, EngineJudge::isPossible, tallies);
        }
        System.out.println("forged histories on an engine: " + tallies);
        assertThat(tallies.values()).allMatch(tally -> tally.notJudged == 0);
        assertEachCaught(tallies);
    }

    /** Only a lost answer need not be caught, because it can have been anything. */
    private static void assertEachCaught(Map<Change, Tally> tallies) {
        tallies.forEach((change, tally) ->
                assertThat(tally.caught > 0).as(change + ": " + tally).isEqualTo(change != Change.LOSE));
    }
}
