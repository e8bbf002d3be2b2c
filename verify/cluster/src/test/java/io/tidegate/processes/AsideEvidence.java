package io.tidegate.processes;

import io.tidegate.processes.Evidence.Operation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What deletions must leave alone: the fences, what is leased, and what waits. */
final class AsideEvidence {
    /*
     * What was processed may run again when its domain was deleted, so the checker of histories has no say here. What
     * was answered must nevertheless hold: a fence is greater than all that were given before; a lease is there while
     * its time lasts; what was put into line is had by somebody.
     */
    private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Set<String> REFUSALS = Set.of("TOKEN_MISMATCH", "LEASE_NOT_FOUND");

    private final List<Operation> operations;
    private final long leaseNanos;

    AsideEvidence(List<Operation> operations, long leaseMillis) {
        this.operations = operations;
        this.leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
    }

    Optional<String> breach() {
        return acquisitions()
                .flatMap(each -> Stream.of(smallerFence(each), goneLease(each)))
                .flatMap(Optional::stream)
                .findFirst()
                .or(this::goneWaiter);
    }

    int leases() {
        return (int) acquisitions().count();
    }

    private Stream<Operation> acquisitions() {
        return operations.stream().filter(ask -> ask.code().equals("ACQUIRED"));
    }

    private static long fence(Operation acquisition) {
        return Long.parseLong(acquisition.answer().get(2));
    }

    private Optional<String> smallerFence(Operation one) {
        return acquisitions()
                .filter(later -> later.domainId().equals(one.domainId())
                        && later != one
                        && (fence(later) == fence(one)
                                || (later.called() > one.returned() && fence(later) < fence(one))))
                .findFirst()
                .map(later -> "fences do not rise: " + one + " and " + later);
    }

    /** By the first thing that its owner asked for. */
    private Optional<String> goneLease(Operation acquisition) {
        String token = acquisition.answer().get(1);
        return operations.stream()
                .filter(finish -> finish.argument().equals(token))
                .min((one, other) -> Long.compare(one.called(), other.called()))
                .filter(finish -> REFUSALS.contains(finish.code())
                        && finish.returned() - acquisition.called() < leaseNanos - TOLERANCE_NANOS)
                .map(finish -> "a lease is gone before its time: " + acquisition + " and " + finish);
    }

    private Optional<String> goneWaiter() {
        return operations.stream()
                .filter(ask -> ask.code().equals("ENQUEUED"))
                .filter(waiter -> operations.stream().noneMatch(ask -> isPerhapsOf(waiter, ask)))
                .findFirst()
                .map(waiter -> "it waited, and nobody has had it: " + waiter);
    }

    private static boolean isPerhapsOf(Operation waiter, Operation ask) {
        return ask.kind().equals("tryAcquire")
                && ask.domainId().equals(waiter.domainId())
                && ask.argument().equals(waiter.argument())
                && (ask.answer().isEmpty() || ask.code().equals("ACQUIRED"))
                && ask.returned() > waiter.called();
    }
}
