package io.tidegate.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a broken history as short as it can be and still be broken in the same way. */
final class LeaseHistoryShrinker {
    /*
     * Operations are left out, all of an offset at first, then many in a row, then fewer, as long as the same step
     * breaks the same promise and the same answer is expected instead. The operation that gave a token stays as long as
     * another one uses the token: otherwise the token would be the fault.
     */
    private static final long MOST_STEPS = 5_000_000;

    private final LeaseRules rules;
    private final LeaseBreach breach;
    private long steps;

    LeaseHistoryShrinker(LeaseRules rules, LeaseBreach breach) {
        this.rules = rules;
        this.breach = breach;
    }

    /** Returns the breach with its story, from these operations of its domain, in the order of their calls. */
    LeaseBreach of(List<LeaseOperation> operations) {
        long end = operations.stream()
                .filter(operation -> operation.toString().equals(breach.step()))
                .mapToLong(LeaseOperation::returned)
                .max()
                .orElseThrow();
        List<LeaseOperation> story = new ArrayList<>(
                operations.stream().filter(operation -> operation.called <= end).toList());
        leaveOutOffsets(story);
        for (int size = Math.max(1, story.size() / 2); ; size = Math.max(1, size / 2)) {
            boolean shorter = leaveOutRows(story, size);
            if ((size == 1 && !shorter) || steps > MOST_STEPS) {
                break;
            }
        }
        return new LeaseBreach(
                breach.step(),
                breach.promise(),
                breach.why(),
                story.stream().map(LeaseOperation::toString).toList());
    }

    private void leaveOutOffsets(List<LeaseOperation> story) {
        Map<String, Long> offsets = new HashMap<>();
        story.stream()
                .filter(operation -> operation.code().equals("ACQUIRED"))
                .forEach(operation -> offsets.put(shown(operation), operation.offset));
        Map<Long, Set<LeaseOperation>> groups = new LinkedHashMap<>();
        for (LeaseOperation operation : story) {
            Long offset = operation.kind.hasToken() ? offsets.get(operation.token) : Long.valueOf(operation.offset);
            if (offset != null) {
                groups.computeIfAbsent(offset, any -> new HashSet<>()).add(operation);
            }
        }
        groups.values().forEach(group -> leaveOut(story, group));
    }

    /** Returns whether so many operations in a row could be left out, somewhere. */
    private boolean leaveOutRows(List<LeaseOperation> story, int size) {
        boolean shorter = false;
        for (int end = story.size(); end > 0; end -= size) {
            shorter |= leaveOut(story, new HashSet<>(story.subList(Math.max(0, end - size), end)));
        }
        return shorter;
    }

    private boolean leaveOut(List<LeaseOperation> story, Set<LeaseOperation> some) {
        List<LeaseOperation> candidate =
                story.stream().filter(operation -> !some.contains(operation)).toList();
        if (steps > MOST_STEPS || !hasItsTokens(story, candidate) || !isBrokenLikewise(candidate)) {
            return false;
        }
        story.removeAll(some);
        return true;
    }

    private static boolean hasItsTokens(List<LeaseOperation> story, List<LeaseOperation> candidate) {
        Set<String> lost = tokensGiven(story);
        lost.removeAll(tokensGiven(candidate));
        return candidate.stream()
                .noneMatch(operation -> lost.contains(operation.token) || lost.contains(shown(operation)));
    }

    private static Set<String> tokensGiven(List<LeaseOperation> operations) {
        Set<String> tokens = new HashSet<>();
        operations.stream()
                .filter(operation -> operation.code().equals("ACQUIRED"))
                .forEach(operation -> tokens.add(shown(operation)));
        return tokens;
    }

    private static String shown(LeaseOperation operation) {
        LeaseOperation.Answer answer = operation.answer();
        return answer == null || answer.token() == null ? "" : answer.token();
    }

    private boolean isBrokenLikewise(List<LeaseOperation> candidate) {
        steps += candidate.size();
        try {
            Optional<LeaseBreach> found = LeaseDomainCheck.checkBriefly(candidate, rules);
            return found.isPresent()
                    && found.get().step().equals(breach.step())
                    && found.get().promise() == breach.promise()
                    && found.get().why().equals(breach.why());
        } catch (IllegalStateException undecided) {
            return false;
        }
    }
}
