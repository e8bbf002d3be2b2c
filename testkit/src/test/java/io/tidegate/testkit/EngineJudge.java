package io.tidegate.testkit;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.testkit.HistoryJudge.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a history of one domain on an engine is possible, if its calls follow one another: replays it on the
 * leases in memory and compares the answers. A history is free to choose tokens, fences and dates, so each is taken
 * from the history where it first appears.
 */
final class EngineJudge {
    /**
     * How many numbers of a recorded history stand for a millisecond. The steps that are judged have ten times as many,
     * so that their numbers are nanoseconds.
     */
    static final long NANOS = 100_000;

    /** An odd number of milliseconds. Time passes by even ones, so that no lease is checked at the moment it ends. */
    static final Duration DURATION = Duration.ofMillis(9);

    static final LeaseRules RULES = LeaseRules.ENGINE.withLeaseDuration(DURATION, Duration.ZERO);

    private static final String DOMAIN = "A";
    private static final String OWNER = "owner ";

    private final ManualClock clock = new ManualClock();
    private final InMemorySharedLease.Store store = new InMemorySharedLease.Store(clock);
    private final int maxRetries;

    /** The tokens of the replay, by those of the history. */
    private final Map<String, String> tokens = new HashMap<>();

    private final Map<List<Long>, Long> dates = new HashMap<>();
    private long fence = Long.MIN_VALUE;
    private @Nullable String until;

    private EngineJudge(int maxRetries) {
        this.maxRetries = maxRetries;
    }

    static Duration step(Random random) {
        return Duration.ofMillis(2L * (1 + random.nextInt(3)));
    }

    /**
     * Judges a history in which one thing was changed. If the change only removed an answer, the history is still
     * possible.
     */
    static Optional<Boolean> isPossible(List<Step> steps, int maxRetries) {
        EngineJudge judge = new EngineJudge(maxRetries);
        List<Step> order = new ArrayList<>(steps);
        order.sort(Comparator.comparingLong(Step::called));
        return Optional.of(steps.stream().anyMatch(step -> step.answer() == null)
                || order.stream().allMatch(judge::fits));
    }

    private boolean fits(Step step) {
        clock.set(Instant.ofEpochMilli(step.called() / (10 * NANOS)));
        List<String> words = Arrays.asList(step.words());
        List<String> answer = Arrays.asList(step.answer().split(" ", -1));
        // a change may have made an owner's name empty, which the leases in memory refuse
        SharedWorkLease lease = store.lease("orders", maxRetries, OWNER + words.get(words.size() - 1), DURATION);
        try {
            return switch (words.get(0)) {
                case "tryAcquire" -> ask(lease, Long.parseLong(words.get(2)), answer);
                case "succeed" -> is(answer, HistoryJudge.text(lease.succeed(DOMAIN, token(words.get(2)))));
                case "fail" -> fail(lease, words.subList(2, words.size() - 2), answer);
                case "renew" -> renew(lease, words.get(2), answer);
                case "release" -> {
                    lease.release(DOMAIN, token(words.get(2)));
                    yield is(answer, "RELEASED");
                }
                case "replay" ->
                    is(answer, lease.replay(DOMAIN, Long.parseLong(words.get(2))) ? "REPLAYED" : "NOT_FAILED");
                case "forget" -> {
                    lease.forget(DOMAIN, Long.parseLong(words.get(2)));
                    yield is(answer, "FORGOTTEN");
                }
                case "pending" -> is(answer, "PENDING") && lease.pending(1, "").contains(DOMAIN);
                default -> inspect(lease, answer);
            };
        } catch (BacklogOrderingException disorder) {
            return is(answer, "BACKLOG_ORDERING " + disorder.expected());
        } catch (TokenMismatchException mismatch) {
            return is(answer, "TOKEN_MISMATCH");
        } catch (LeaseNotFoundException notFound) {
            return is(answer, "LEASE_NOT_FOUND");
        } catch (IllegalArgumentException misuse) {
            return false;
        }
    }

    private static boolean is(List<String> answer, String expected) {
        return String.join(" ", answer).equals(expected);
    }

    private String token(String seen) {
        return tokens.getOrDefault(seen, seen);
    }

    private boolean ask(SharedWorkLease lease, long offset, List<String> answer) {
        AcquireResult result = lease.tryAcquire(DOMAIN, offset);
        if (!answer.get(0).equals(result.code())) {
            return false;
        }
        if (result instanceof AcquireResult.Acquired acquired) {
            long seen = Long.parseLong(answer.get(2));
            boolean fits = seen > fence
                    && !answer.get(1).equals("\"\"")
                    && tokens.putIfAbsent(answer.get(1), acquired.token()) == null
                    && isRetries(answer, acquired.retryCount());
            fence = seen;
            until = null;
            return fits;
        }
        if (result instanceof AcquireResult.AlreadyAcquired already) {
            return token(answer.get(1)).equals(already.token())
                    && answer.get(2).equals(Long.toString(fence))
                    && isRetries(answer, already.retryCount());
        }
        if (result instanceof AcquireResult.HeldElsewhere held) {
            until = until == null ? answer.get(2) : until;
            return held.owner().equals(OWNER + answer.get(1)) && answer.get(2).equals(until);
        }
        return true;
    }

    private static boolean isRetries(List<String> answer, int retries) {
        return answer.size() < 4 || answer.get(3).equals(Integer.toString(retries));
    }

    private boolean fail(SharedWorkLease lease, List<String> arguments, List<String> answer) {
        boolean permanent = arguments.contains("permanent");
        int number = arguments.size() - (permanent ? 1 : 0) < 2 ? 0 : Integer.parseInt(arguments.get(1));
        int before = retries(lease);
        String expected =
                HistoryJudge.text(lease.fail(DOMAIN, token(arguments.get(0)), new Failure(number, permanent, "")));
        until = retries(lease) == before ? until : null;
        return is(answer, expected);
    }

    private static int retries(SharedWorkLease lease) {
        return lease.inspect(DOMAIN)
                .flatMap(DomainSnapshot::lease)
                .map(LeaseRecord::retryCount)
                .orElse(0);
    }

    private boolean renew(SharedWorkLease lease, String token, List<String> answer) {
        if (is(answer, "NOT_RENEWED")) {
            return true;
        }
        lease.renew(DOMAIN, token(token));
        until = answer.size() < 2 ? null : answer.get(1);
        return answer.get(0).equals("RENEWED");
    }

    private boolean inspect(SharedWorkLease lease, List<String> answer) {
        DomainSnapshot seen = lease.inspect(DOMAIN).orElse(null);
        if (seen == null) {
            return is(answer, "UNKNOWN");
        }
        List<String> expected = new ArrayList<>(List.of("SNAPSHOT"));
        LeaseRecord held = seen.lease().orElse(null);
        if (held != null) {
            expected.add(answer.size() > 1 && token(answer.get(1)).equals(held.token()) ? answer.get(1) : "\"\"");
        }
        expected.add(Long.toString(seen.processedCount()));
        expected.add(Long.toString(seen.failedCount()));
        if (held != null) {
            boolean hidden = held.token().isEmpty();
            if (answer.size() < 8 || hidden != answer.get(1).equals("\"\"")) {
                return false;
            }
            Long date = Long.valueOf(answer.get(6));
            Long dated = dates.putIfAbsent(List.of(held.currentOffset(), held.acquiredAtMillis()), date);
            expected.add(Long.toString(held.currentOffset()));
            expected.add(Long.toString(fence));
            expected.add(Objects.toString(dated == null ? date : dated));
            expected.add(Integer.toString(held.retryCount()));
        }
        seen.backlog().forEach(offset -> expected.add(Long.toString(offset)));
        return answer.equals(expected);
    }
}
