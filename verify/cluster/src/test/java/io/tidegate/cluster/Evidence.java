package io.tidegate.cluster;

import io.tidegate.lease.AcquireResult;
import io.tidegate.testkit.LeaseBreach;
import io.tidegate.testkit.LeaseHistory;
import io.tidegate.testkit.LeaseRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** All that is known of a run, and what it must not contain. */
final class Evidence {
    /*
     * The history goes through the checker of the testkit, which knows neither how long a lease lasts nor how many retries there are, nor
     * what is written elsewhere. These are looked at here:
     *
     * A lease was given, or prolonged, at some instant after that was asked for. So nobody can have been given the same offset, or have been told
     * that it has failed for want of retries, before the lease's duration from then on was over. All stamps are from one monotonic clock. The engine judges by
     * its own clock of the same machine, which may be set right meanwhile: hence the tolerance.
     *
     * Each take-over and each failure costs a retry. Those whose answers were lost are not seen, so there may be fewer than the retries, but not more.
     *
     * A fence belongs to one acquisition, so to one owner and one offset: if others write with it, the resource cannot tell them apart. And no
     * work is told as done that has not been written to the resource.
     */
    private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** One of so many offsets must be processed. */
    private static final int LEAST_SHARE = 4;

    private record Operation(
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

    /** An acquisition and since when it was surely not over. */
    private static final class Grant {
        final Operation by;
        final long fence;
        long prolonged;
        boolean mayHaveFailed;

        Grant(Operation by) {
            this.by = by;
            this.fence = Long.parseLong(by.answer.get(2));
            this.prolonged = by.called;
        }
    }

    private final Load load;
    private final LeaseHistory history;
    private final List<FencedResource.Write> writes;
    private final long leaseNanos;
    private final int maxRetries;
    private final List<Operation> operations;

    Evidence(Load load, LeaseHistory history, List<FencedResource.Write> writes, long leaseMillis, int maxRetries) {
        this.load = load;
        this.history = history;
        this.writes = writes;
        this.leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        this.maxRetries = maxRetries;
        this.operations = operations(history.lines());
    }

    private static List<Operation> operations(List<String> lines) {
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

    /** What is wrong with what happened, whether or not it came to an end. */
    Optional<String> breach() {
        return Stream.of(
                        history.check(LeaseRules.ENGINE).map(LeaseBreach::toString),
                        sharedFence(),
                        unwrittenSuccess(),
                        breachOfLeases())
                .flatMap(Optional::stream)
                .findFirst();
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
        Map<String, Grant> grants = grantsByToken();
        return operations.stream()
                .filter(finish ->
                        finish.kind.equals("succeed") && isHint(finish) && grants.containsKey(finish.argument))
                .filter(finish -> !written.contains(finish.domainId + " " + grants.get(finish.argument).fence))
                .findFirst()
                .map(finish -> "not written, and a success: " + finish);
    }

    private static boolean isHint(Operation finish) {
        return finish.code().equals("NO_BACKLOG") || finish.code().equals("NEXT_HINT");
    }

    private Map<String, Grant> grantsByToken() {
        Map<String, Grant> grants = new HashMap<>();
        operations.stream()
                .filter(operation -> operation.code().equals("ACQUIRED"))
                .forEach(operation -> grants.put(operation.answer.get(1), new Grant(operation)));
        for (Operation operation : operations) {
            Grant grant = grants.get(operation.argument);
            if (grant != null
                    && (operation.code().equals("RENEWED") || operation.code().equals("RETRY_SCHEDULED"))) {
                grant.prolonged = Math.max(grant.prolonged, operation.called);
            } else if (grant != null && operation.kind.equals("fail")) {
                grant.mayHaveFailed = true;
            }
        }
        return grants;
    }

    private Optional<String> breachOfLeases() {
        Map<List<String>, List<Grant>> byOffset = new HashMap<>();
        for (Grant grant : grantsByToken().values()) {
            byOffset.computeIfAbsent(List.of(grant.by.domainId, grant.by.argument), offset -> new ArrayList<>())
                    .add(grant);
        }
        for (Map.Entry<List<String>, List<Grant>> offset : byOffset.entrySet()) {
            List<Grant> grants = offset.getValue();
            grants.sort(Comparator.comparingLong(grant -> grant.fence));
            Optional<String> breach = earlyTakeOver(grants).or(() -> earlyGiveUp(offset.getKey(), grants));
            if (breach.isPresent()) {
                return breach;
            }
            if (grants.size() - 1 + retriesOf(grants) > maxRetries) {
                return Optional.of("tried more often than " + maxRetries + " retries allow: " + offset.getKey());
            }
        }
        return Optional.empty();
    }

    private Optional<String> earlyTakeOver(List<Grant> grants) {
        for (int i = 1; i < grants.size(); i++) {
            if (isEarly(grants.get(i - 1), grants.get(i).by)) {
                return Optional.of("taken over before its time: " + grants.get(i - 1).by + " by " + grants.get(i).by);
            }
        }
        return Optional.empty();
    }

    private Optional<String> earlyGiveUp(List<String> offset, List<Grant> grants) {
        Grant last = grants.get(grants.size() - 1);
        return operations.stream()
                .filter(operation -> operation.code().equals("ALREADY_FAILED")
                        && offset.equals(List.of(operation.domainId, operation.argument)))
                .filter(operation -> !last.mayHaveFailed && isEarly(last, operation))
                .findFirst()
                .map(operation -> "given up before its time: " + last.by + " by " + operation);
    }

    private boolean isEarly(Grant grant, Operation next) {
        return next.returned - grant.prolonged < leaseNanos - TOLERANCE_NANOS;
    }

    private long retriesOf(List<Grant> grants) {
        Set<String> tokens = new HashSet<>();
        grants.forEach(grant -> tokens.add(grant.by.answer.get(1)));
        return operations.stream()
                .filter(operation -> operation.code().equals("RETRY_SCHEDULED") && tokens.contains(operation.argument))
                .count();
    }

    /** What is wrong with how it ended. */
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
            if (!processed && mostTries(item) <= maxRetries) {
                return Optional.of("failed, and nobody has tried it more than " + mostTries(item) + " times: " + item);
            }
        }
        return Optional.empty();
    }

    /** Each lease that was given, or may have been, can run out once; each failure that was told, or may have been, counts too. */
    private long mostTries(Load.Item item) {
        Set<String> tokens = new HashSet<>();
        long tries = 0;
        for (Operation ask : operations) {
            if (ask.kind.equals("tryAcquire") && isOf(item, ask)) {
                tries += ask.answer.isEmpty() ? 1 : 0;
                if (ask.code().equals("ACQUIRED") || ask.code().equals("ALREADY_ACQUIRED")) {
                    tokens.add(ask.answer.get(1));
                }
            }
        }
        tries += operations.stream()
                .filter(fail -> fail.kind.equals("fail") && tokens.contains(fail.argument))
                .filter(fail -> fail.answer.isEmpty() || fail.code().equals("RETRY_SCHEDULED"))
                .count();
        return tries + tokens.size();
    }

    private static boolean isOf(Load.Item item, Operation ask) {
        return ask.domainId.equals("\"" + item.domainId() + "\"") && ask.argument.equals(Long.toString(item.offset()));
    }

    private boolean isWritten(Load.Item item) {
        return writes.stream()
                .anyMatch(write -> write.accepted()
                        && write.last()
                        && write.domainId().equals(item.domainId())
                        && write.offset() == item.offset());
    }

    /** What shows that hardly anything was done, from which nothing follows. Each worker asks until it has heard of the end of all work. */
    Optional<String> breachOfIdleness(int workers, Map<Load.Item, AcquireResult> ends) {
        for (int slot = 0; slot < workers; slot++) {
            String name = "\"" + WorkerProcess.owner(slot, "");
            long answered = operations.stream()
                    .filter(ask ->
                            ask.process.startsWith(name) && ask.kind.equals("tryAcquire") && !ask.answer.isEmpty())
                    .count();
            if (answered < load.items().size()) {
                return Optional.of("worker " + slot + " asked for next to nothing: " + answered);
            }
        }
        int processed = facts(ends).processed();
        return processed < load.items().size() / LEAST_SHARE
                ? Optional.of("hardly anything was processed: " + processed)
                : Optional.empty();
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
