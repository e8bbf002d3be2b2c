package io.tidegate.processes;

import io.tidegate.lease.AcquireResult;
import io.tidegate.testkit.LeaseBreach;
import io.tidegate.testkit.LeaseHistory;
import io.tidegate.testkit.LeaseRules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Everything that is known of a run, and the checks of it. */
final class Evidence {
    /*
     * The checker of the testkit reads the history. It knows how long a lease lasts and how many retries there are. All
     * stamps are from one monotonic clock. The engine uses its own clock of the same machine, which may be set right
     * meanwhile: hence the tolerance.
     *
     * What happens outside the leases is checked here. A fence belongs to one acquisition, and so to one owner and one
     * offset: if two owners write with it, the resource cannot distinguish them. And no work is reported as done that
     * was not written to the resource.
     */
    private static final Duration TOLERANCE = Duration.ofMillis(20);

    /** At least one of so many offsets must be processed. */
    private static final int LEAST_SHARE = 4;

    record Operation(
            String process,
            long called,
            String kind,
            String domainId,
            String argument,
            long returned,
            List<String> answer) {
        String code() {
            return answer.isEmpty() ? "" : answer.get(0);
        }
    }

    private final Load load;
    private final LeaseHistory history;
    private final List<FencedResource.Write> writes;
    private final LeaseRules rules;
    private final List<Operation> operations;

    Evidence(Load load, LeaseHistory history, List<FencedResource.Write> writes, long leaseMillis, int maxRetries) {
        this.load = load;
        this.history = history;
        this.writes = writes;
        this.rules = LeaseRules.ENGINE
                .withMaxRetries(maxRetries)
                .withLeaseDuration(Duration.ofMillis(leaseMillis), TOLERANCE);
        this.operations = operations(history.lines());
    }

    static List<Operation> operations(List<String> lines) {
        Map<List<String>, List<String>> calls = new HashMap<>();
        List<Operation> operations = new ArrayList<>();
        for (String line : lines) {
            List<String> words = List.of(line.split(" ", -1));
            List<String> key = words.subList(1, 3);
            if (!words.get(3).equals("=")) {
                calls.put(key, words);
            } else {
                operations.add(
                        operation(calls.remove(key), Long.parseLong(words.get(0)), words.subList(4, words.size())));
            }
        }
        calls.values().forEach(call -> operations.add(operation(call, Long.MAX_VALUE, List.of())));
        return operations;
    }

    private static Operation operation(List<String> call, long returned, List<String> answer) {
        String argument = call.size() > 5 ? call.get(5) : "";
        return new Operation(
                call.get(1), Long.parseLong(call.get(0)), call.get(3), call.get(4), argument, returned, answer);
    }

    List<Operation> operations() {
        return operations;
    }

    /** Returns what is wrong with the answers, whether or not the run came to an end. */
    Optional<String> breach() {
        return Stream.of(breachOfHistory(), sharedFence(), unwrittenSuccess())
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** An undecided history is a breach, too, because such a run shows nothing. */
    private Optional<String> breachOfHistory() {
        try {
            return history.check(rules).map(LeaseBreach::toString);
        } catch (IllegalStateException undecided) {
            return Optional.of(undecided.toString());
        }
    }

    private Optional<String> sharedFence() {
        Map<String, FencedResource.Write> first = new HashMap<>();
        for (FencedResource.Write write : writes) {
            FencedResource.Write before = first.putIfAbsent(write.domainId() + " " + write.fence(), write);
            if (before != null && (!before.owner().equals(write.owner()) || before.offset() != write.offset())) {
                return Optional.of("two have the same fence: " + before + " and " + write);
            }
        }
        return Optional.empty();
    }

    private Optional<String> unwrittenSuccess() {
        Set<String> written = new HashSet<>();
        writes.stream()
                .filter(write -> write.accepted() && write.last())
                .forEach(write -> written.add("\"" + write.domainId() + "\" " + write.fence()));
        Map<String, String> fences = new HashMap<>();
        operations.stream()
                .filter(operation -> operation.code().equals("ACQUIRED"))
                .forEach(operation -> fences.put(operation.answer.get(1), operation.answer.get(2)));
        return operations.stream()
                .filter(finish ->
                        finish.kind.equals("succeed") && isHint(finish) && fences.containsKey(finish.argument))
                .filter(finish -> !written.contains(finish.domainId + " " + fences.get(finish.argument)))
                .findFirst()
                .map(finish -> "not written, and a success: " + finish);
    }

    private static boolean isHint(Operation finish) {
        return finish.code().equals("NO_BACKLOG") || finish.code().equals("NEXT_HINT");
    }

    /** Returns what is wrong with the ends of the offsets. */
    Optional<String> breachOfEnds(Map<Load.Item, AcquireResult> ends) {
        for (Load.Item item : load.items()) {
            AcquireResult end = ends.get(item);
            boolean processed = end instanceof AcquireResult.AlreadyProcessed;
            if (!processed && !(end instanceof AcquireResult.AlreadyFailed)) {
                return Optional.of("not at its end: " + item + " is " + end);
            }
            if (processed && !item.course().canSucceed()) {
                return Optional.of("cannot have succeeded: " + item);
            }
            if (processed && !isWritten(item)) {
                return Optional.of("processed, and nobody has written it: " + item);
            }
        }
        return Optional.empty();
    }

    private boolean isWritten(Load.Item item) {
        return writes.stream()
                .anyMatch(write -> write.accepted()
                        && write.last()
                        && write.domainId().equals(item.domainId())
                        && write.offset() == item.offset());
    }

    /** Returns why the run shows nothing: a worker that asked less than it must, or too few processed offsets. */
    Optional<String> breachOfIdleness(int workers, int leastAsked, Map<Load.Item, AcquireResult> ends) {
        for (int slot = 0; slot < workers; slot++) {
            String name = "\"" + WorkerProcess.owner(slot, "");
            long answered = operations.stream()
                    .filter(ask ->
                            ask.process.startsWith(name) && ask.kind.equals("tryAcquire") && !ask.answer.isEmpty())
                    .count();
            if (answered < leastAsked) {
                return Optional.of("worker " + slot + " asked for next to nothing: " + answered);
            }
        }
        int processed = facts(ends).processed();
        return processed < load.items().size() / LEAST_SHARE
                ? Optional.of("hardly anything was processed: " + processed)
                : Optional.empty();
    }

    /** Returns how often an answer was given. */
    int count(String code) {
        return (int) operations.stream()
                .filter(operation -> operation.code().equals(code))
                .count();
    }

    Verdict.Facts facts(Map<Load.Item, AcquireResult> ends) {
        Map<String, Integer> grants = new HashMap<>();
        operations.stream()
                .filter(ask -> ask.code().equals("ACQUIRED"))
                .forEach(ask -> grants.merge(ask.domainId + " " + ask.argument, 1, Integer::sum));
        return new Verdict.Facts(
                count(ends, AcquireResult.AlreadyProcessed.class),
                count(ends, AcquireResult.AlreadyFailed.class),
                grants.values().stream().mapToInt(times -> times - 1).sum(),
                (int) operations.stream()
                        .filter(operation -> operation.answer.isEmpty())
                        .count(),
                (int) writes.stream().filter(write -> !write.accepted()).count());
    }

    private static int count(Map<Load.Item, AcquireResult> ends, Class<? extends AcquireResult> type) {
        return (int) ends.values().stream().filter(type::isInstance).count();
    }
}
