package io.tidegate.testkit;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.ReferenceLease;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides by brute force whether a short history of one domain in memory is possible: tries every order that the times
 * allow on the reference, and compares all answers.
 */
final class HistoryJudge {
    /**
     * An operation as the text of a history has it: its call without the numbers before it, and its answer unless that
     * was lost.
     */
    record Step(
            long called,
            long returned,
            String call,
            @Nullable String answer) {
        String[] words() {
            return call.split(" ", -1);
        }

        @Nullable
        String tokenGiven() {
            return answer != null && answer.startsWith("ACQUIRED ") ? answer.split(" ", -1)[1] : null;
        }
    }

    private static final String DOMAIN = "A";
    private static final String NOBODYS = "nobody's";
    private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    private final List<Step> steps;
    private final int maxRetries;
    private final List<String> unseenTokens = new ArrayList<>(List.of(NOBODYS));
    private long budget;

    private HistoryJudge(List<Step> steps, int maxRetries, long budget) {
        this.steps = steps;
        this.maxRetries = maxRetries;
        this.budget = budget;
        List<String> given = new ArrayList<>();
        steps.forEach(step -> given.add(step.tokenGiven()));
        for (Step step : steps) {
            for (String text : List.of(step.call, step.answer == null ? "" : step.answer)) {
                for (String word : text.split(" ", -1)) {
                    if (word.length() > 2
                            && word.startsWith("\"")
                            && !word.equals("\"A\"")
                            && !given.contains(word)
                            && !unseenTokens.contains(word)) {
                        unseenTokens.add(word);
                    }
                }
            }
        }
    }

    /** Empty if the search would take more orders than the budget. */
    static Optional<Boolean> isPossible(List<Step> steps, int maxRetries, long budget) {
        HistoryJudge judge = new HistoryJudge(steps, maxRetries, budget);
        boolean possible = judge.search(new ArrayList<>(), new ArrayList<>());
        return judge.budget < 0 && !possible ? Optional.empty() : Optional.of(possible);
    }

    /** Extends the order so far. The tokens are those that each operation would get if its answer was lost. */
    private boolean search(List<Step> order, List<String> tokens) {
        if (budget-- < 0 || !replays(order, tokens)) {
            return false;
        }
        List<Step> rest = new ArrayList<>(steps);
        order.forEach(step -> rest.removeIf(other -> other == step));
        if (rest.stream().allMatch(step -> step.answer == null)) {
            return true;
        }
        for (Step next : rest) {
            if (rest.stream().noneMatch(other -> other.returned < next.called)) {
                boolean lostAsk = next.answer == null && next.call.startsWith("tryAcquire");
                for (String token : lostAsk ? unseenTokens : List.of(NOBODYS)) {
                    order.add(next);
                    tokens.add(token);
                    boolean found = search(order, tokens);
                    order.remove(order.size() - 1);
                    tokens.remove(tokens.size() - 1);
                    if (found) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** Plays one order on the reference, whose fences count from 1. The history's fences need only rise. */
    private final class Replay {
        private String token = "";
        private final ReferenceLease lease = new ReferenceLease(maxRetries, CLOCK, (domain, offset, fence) -> token);
        private final List<String> used = new ArrayList<>();
        private final Map<Long, Long> fences = new HashMap<>();
        private final Map<Long, Long> dates = new HashMap<>();
        private long lastKnown = Long.MIN_VALUE;
        private long lastKnownAt;

        boolean fits(Step step, String ifLost) {
            String[] words = step.words();
            String given = step.tokenGiven();
            token = given != null ? given : ifLost.equals(NOBODYS) ? NOBODYS + used.size() : ifLost;
            return switch (words[0]) {
                case "tryAcquire" -> ask(step, Long.parseLong(words[2]));
                case "succeed" -> finish(step, () -> text(lease.succeed(DOMAIN, words[2])));
                case "fail" ->
                    finish(
                            step,
                            () -> text(lease.fail(
                                    DOMAIN,
                                    words[2],
                                    new Failure(0, words[words.length - 1].equals("permanent"), ""))));
                case "replay" -> is(step, lease.replay(DOMAIN, Long.parseLong(words[2])) ? "REPLAYED" : "NOT_FAILED");
                case "forget" -> {
                    lease.forget(DOMAIN, Long.parseLong(words[2]));
                    yield is(step, "FORGOTTEN");
                }
                default -> inspect(step);
            };
        }

        private boolean is(Step step, String answer) {
            return step.answer == null || step.answer.equals(answer);
        }

        private boolean finish(Step step, Supplier<String> call) {
            try {
                return is(step, call.get());
            } catch (TokenMismatchException mismatch) {
                return is(step, "TOKEN_MISMATCH");
            } catch (LeaseNotFoundException notFound) {
                return is(step, "LEASE_NOT_FOUND");
            }
        }

        private boolean ask(Step step, long offset) {
            AcquireResult result;
            try {
                result = lease.tryAcquire(DOMAIN, offset);
            } catch (BacklogOrderingException disorder) {
                return is(step, "BACKLOG_ORDERING " + disorder.expected());
            } catch (IllegalStateException noToken) {
                return false;
            }
            if (result instanceof AcquireResult.Acquired acquired) {
                if (used.contains(token) || token.equals("\"\"")) {
                    return false;
                }
                used.add(token);
                return step.answer == null
                        || (step.answer.startsWith("ACQUIRED ")
                                && isRetries(step.answer.split(" ", -1), acquired.retryCount())
                                && isFence(
                                        acquired.fence(),
                                        Long.parseLong(step.answer.split(" ", -1)[2])));
            }
            if (result instanceof AcquireResult.AlreadyAcquired already && step.answer != null) {
                String[] words = step.answer.split(" ", -1);
                return words[0].equals("ALREADY_ACQUIRED")
                        && words[1].equals(already.token())
                        && isRetries(words, already.retryCount())
                        && isFence(already.fence(), Long.parseLong(words[2]));
            }
            return is(step, result.code());
        }

        private static boolean isRetries(String[] words, int retries) {
            return words.length < 4 || words[3].equals(Integer.toString(retries));
        }

        /**
         * Whether the history's fence can be this one of the reference: there must be room for the fences that no
         * answer shows.
         */
        private boolean isFence(long own, long seen) {
            Long before = fences.putIfAbsent(own, seen);
            if (before != null) {
                return before == seen;
            }
            boolean rises = lastKnown == Long.MIN_VALUE || seen - lastKnown >= own - lastKnownAt;
            lastKnown = seen;
            lastKnownAt = own;
            return rises;
        }

        private boolean inspect(Step step) {
            Optional<DomainSnapshot> seen = lease.inspect(DOMAIN);
            if (step.answer == null || seen.isEmpty()) {
                return is(step, "UNKNOWN");
            }
            StringBuilder text = new StringBuilder("SNAPSHOT");
            Optional<LeaseRecord> held = seen.get().lease();
            String[] words = step.answer.split(" ", -1);
            held.ifPresent(record -> text.append(' ').append(record.token()));
            text.append(' ').append(seen.get().processedCount());
            text.append(' ').append(seen.get().failedCount());
            if (held.isPresent()) {
                if (!step.answer.startsWith("SNAPSHOT \"")) {
                    return false;
                }
                long date = Long.parseLong(words[6]);
                Long dated = dates.putIfAbsent(held.get().fence(), date);
                if (!isFence(held.get().fence(), Long.parseLong(words[5])) || (dated != null && dated != date)) {
                    return false;
                }
                text.append(' ').append(held.get().currentOffset()).append(' ').append(words[5]);
                text.append(' ').append(words[6]).append(' ').append(held.get().retryCount());
            }
            seen.get().backlog().forEach(offset -> text.append(' ').append(offset));
            return text.toString().equals(step.answer);
        }
    }

    static String text(SucceedResult result) {
        return result.code() + (result instanceof SucceedResult.NextHint hint ? " " + hint.offset() : "");
    }

    static String text(FailResult result) {
        if (result instanceof FailResult.RetryScheduled retry) {
            return result.code() + " " + retry.retryCount();
        }
        return result.code() + (result instanceof FailResult.GiveUpNextHint hint ? " " + hint.offset() : "");
    }

    private boolean replays(List<Step> order, List<String> tokens) {
        Replay replay = new Replay();
        for (int i = 0; i < order.size(); i++) {
            if (!replay.fits(order.get(i), tokens.get(i))) {
                return false;
            }
        }
        return true;
    }
}
