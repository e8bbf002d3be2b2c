package io.tidegate.processes;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.Completion;
import io.tidegate.processes.AttemptLog.Attempt;
import io.tidegate.processes.AttemptLog.Pause;
import io.tidegate.processes.Evidence.Operation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Checks runners: their calls of the lease, and the attempts of their tasks. */
final class RunnerEvidence {
    /*
     * The history shows that no other owner has the lease of an attempt before its owner ends it: others get it only by
     * a take-over. So no work runs twice at the same time without a take-over, if an owner begins no attempt twice with
     * one token, and does not end a lease during its attempt.
     *
     * A process without a fault keeps each lease until it ends the lease itself. A process that stood still or was
     * answered late is excused, because the machine may be busy.
     */
    private static final Set<String> FINISHES = Set.of("succeed", "fail", "release");
    private static final Set<String> ENDS =
            Set.of("NO_BACKLOG", "NEXT_HINT", "GIVE_UP_NO_BACKLOG", "GIVE_UP_NEXT_HINT", "RELEASED");
    private static final Set<String> REFUSALS = Set.of("TOKEN_MISMATCH", "LEASE_NOT_FOUND");
    private static final long LATE_PARTS = 4;

    private final Load load;
    private final List<AttemptLog> logs;
    private final long leaseNanos;

    /** The operations with each token, by process and token. */
    private final Map<String, List<Operation>> withToken = new HashMap<>();

    private final Map<String, List<Operation>> byProcess = new HashMap<>();

    RunnerEvidence(Load load, List<Operation> operations, List<AttemptLog> logs, long leaseMillis) {
        this.load = load;
        this.logs = logs;
        this.leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        for (Operation operation : operations) {
            byProcess
                    .computeIfAbsent(operation.process(), any -> new ArrayList<>())
                    .add(operation);
            withToken
                    .computeIfAbsent(operation.process() + operation.argument(), any -> new ArrayList<>())
                    .add(operation);
        }
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    private List<Operation> with(AttemptLog log, String quotedToken) {
        return withToken.getOrDefault(quoted(log.owner()) + quotedToken, List.of());
    }

    /**
     * Returns what is wrong with the attempts.
     *
     * @param befallen slots whose processes may lose leases
     */
    Optional<String> breach(Set<Integer> befallen) {
        return logs.stream()
                .flatMap(log -> Stream.of(
                        begunTwice(log),
                        endedMeanwhile(log),
                        begunTooLate(log),
                        befallen.contains(WorkerProcess.slot(log.owner())) ? Optional.<String>empty() : lost(log)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> begunTwice(AttemptLog log) {
        for (Attempt one : log.attempts()) {
            for (Attempt other : log.attempts()) {
                if (one != other
                        && one.domainId().equals(other.domainId())
                        && one.fence() == other.fence()
                        && one.begun() <= other.begun()
                        && other.begun() < one.ended()) {
                    return Optional.of("begun twice at a time: " + one + " and " + other);
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> endedMeanwhile(AttemptLog log) {
        for (Attempt attempt : log.attempts()) {
            for (Operation finish : with(log, quoted(attempt.token()))) {
                if (FINISHES.contains(finish.kind())
                        && finish.called() > attempt.begun()
                        && finish.called() < attempt.ended()) {
                    return Optional.of("its lease was ended while it ran: " + attempt + " by " + finish);
                }
            }
        }
        return Optional.empty();
    }

    /** Finds an attempt that began after its lease was known to be lost for longer than a lease lasts. */
    private Optional<String> begunTooLate(AttemptLog log) {
        for (Attempt attempt : log.attempts()) {
            for (Operation refused : with(log, quoted(attempt.token()))) {
                if (REFUSALS.contains(refused.code())
                        && attempt.begun() - refused.returned() > leaseNanos
                        && !isExcused(log, refused.returned(), attempt.begun())) {
                    return Optional.of("begun and known to be lost: " + attempt + " by " + refused);
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> lost(AttemptLog log) {
        if (log.attempts().stream().anyMatch(this::isDeadly)) {
            return Optional.empty();
        }
        for (Operation ask : byProcess.getOrDefault(quoted(log.owner()), List.of())) {
            if (!ask.code().equals("ACQUIRED")) {
                continue;
            }
            List<Operation> its = with(log, ask.answer().get(1));
            boolean ended =
                    its.stream().anyMatch(finish -> FINISHES.contains(finish.kind()) && ENDS.contains(finish.code()));
            long last = its.stream().mapToLong(Operation::returned).max().orElse(ask.returned());
            if (!ended && !isExcused(log, ask.called(), last + leaseNanos)) {
                return Optional.of("lost, and nothing had befallen its owner: " + ask);
            }
        }
        return Optional.empty();
    }

    private boolean isDeadly(Attempt attempt) {
        return load.items().stream()
                .anyMatch(item -> item.course() == Load.Course.DEADLY
                        && item.domainId().equals(attempt.domainId())
                        && item.offset() == attempt.offset());
    }

    /** Whether the process stood still at that time, or was answered late. */
    private boolean isExcused(AttemptLog log, long from, long to) {
        return Stream.concat(
                        log.pauses().stream(),
                        byProcess.getOrDefault(quoted(log.owner()), List.of()).stream()
                                .map(asked -> new Pause(asked.called(), asked.returned())))
                .anyMatch(pause ->
                        pause.to() - pause.from() > leaseNanos / LATE_PARTS && pause.from() < to && pause.to() > from);
    }

    /** Returns an end that callers learned and that differs from the real one. */
    Optional<String> breachOfEnds(Map<Load.Item, AcquireResult> ends) {
        Map<String, AcquireResult> all = new HashMap<>();
        ends.forEach((item, end) -> all.put(item.domainId() + " " + item.offset(), end));
        for (AttemptLog log : logs) {
            for (AttemptLog.End reported : log.ends()) {
                AcquireResult end = all.get(reported.domainId() + " " + reported.offset());
                boolean wrong = (reported.how() == Completion.PROCESSED && end instanceof AcquireResult.AlreadyFailed)
                        || (reported.how() == Completion.PARKED && end instanceof AcquireResult.AlreadyProcessed);
                if (wrong) {
                    return Optional.of(log.owner() + " learned " + reported + ", which is " + end);
                }
            }
        }
        return Optional.empty();
    }
}
