package io.tidegate.processes;

import io.tidegate.processes.Evidence.Operation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Checks that deletions leave everything else alone: the fences, leased offsets, and waiting ones. */
final class SideLeasesEvidence {
    /*
     * Processed work may run again when its domain was deleted, so the checker of histories cannot be used. The answers
     * must nevertheless hold: a fence is greater than all that were granted before; a lease exists while its time
     * lasts; a queued offset is granted to some owner.
     */
    private static final long TOLERANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final Set<String> REFUSALS = Set.of("TOKEN_MISMATCH", "LEASE_NOT_FOUND");

    private final List<Operation> operations;
    private final long leaseNanos;

    SideLeasesEvidence(List<Operation> operations, long leaseMillis) {
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

    /** Finds a lease that vanished before its time, as the first later question of its owner shows. */
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
