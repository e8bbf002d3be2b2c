package io.tidegate.processes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Checks what the processes of a run recorded. All times are those of the machine's monotonic clock.
 *
 * <p>A process may start operations while its lease lasts: from the answer to a claim until the lease's time after the
 * claim was sent. An operation counts against the cap from its start to its end, or until its process had no lease, if
 * that is earlier. An operation that outlives its lease cannot be called back, so it is not promised to count.
 */
final class CapEvidence {
    /** Members take their leases for this much shorter, because the engine rounds to milliseconds. */
    private static final int LEASE_MADE_SHORTER_BY = 50;

    private record Lease(long sent, long answered) {}

    private record Operation(long start, long end) {}

    /** An item of a running count: so much more from then on. */
    private record Change(long nanos, int by) {}

    private final long leaseNanos;
    private final NavigableMap<Long, Integer> bounds;
    private final List<String> breaches = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();

    /**
     * Makes the evidence of a whole run.
     *
     * @param histories the lines of each process
     * @param bounds from when on how many operations may be in flight under leases
     */
    CapEvidence(List<List<String>> histories, long leaseMillis, NavigableMap<Long, Integer> bounds) {
        this.leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
        this.bounds = bounds;
        histories.forEach(this::read);
    }

    private void read(List<String> lines) {
        List<Lease> leases = new ArrayList<>();
        Map<String, Long> starts = new HashMap<>();
        List<Operation> operations = new ArrayList<>();
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            long nanos = Long.parseLong(words[2]);
            switch (words[0]) {
                case "LEASE" -> leases.add(new Lease(Long.parseLong(words[1]), nanos));
                case "START" -> starts.put(words[1], nanos);
                case "END" -> operations.add(new Operation(starts.remove(words[1]), nanos));
                default -> throw new IllegalArgumentException(line);
            }
        }
        starts.values().forEach(start -> operations.add(new Operation(start, Long.MAX_VALUE)));
        leases.sort(Comparator.comparingLong(Lease::answered));
        operations.forEach(operation -> count(operation, leases));
    }

    private void count(Operation operation, List<Lease> leases) {
        if (coveredFrom(operation.start(), leases, leaseNanos) == operation.start()) {
            breaches.add("an operation started without a lease, at " + operation.start());
            return;
        }
        long covered = coveredFrom(operation.start(), leases, leaseNanos - leaseNanos / LEASE_MADE_SHORTER_BY);
        if (covered > operation.start()) {
            changes.add(new Change(operation.start(), 1));
            changes.add(new Change(Math.min(operation.end(), covered), -1));
        }
    }

    /** Returns until when the process had a lease without a break. */
    private static long coveredFrom(long start, List<Lease> leases, long leaseNanos) {
        long covered = start;
        for (Lease lease : leases) {
            if (lease.answered() <= covered) {
                covered = Math.max(covered, lease.sent() + leaseNanos);
            }
        }
        return covered;
    }

    Optional<String> breach() {
        return Stream.concat(breaches.stream(), tooMany().stream()).findFirst();
    }

    private Optional<String> tooMany() {
        changes.sort(Comparator.comparingLong(Change::nanos).thenComparingInt(Change::by));
        int count = 0;
        for (Change change : changes) {
            count += change.by();
            int bound = bounds.floorEntry(change.nanos()).getValue();
            if (change.by() > 0 && count > bound) {
                return Optional.of(
                        count + " in flight under leases (expected: <= " + bound + "), at " + change.nanos());
            }
        }
        return Optional.empty();
    }

    /** Returns how many operations have started that do not end by themselves. */
    static long endless(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith("START " + CapWorker.ENDLESS))
                .count();
    }
}
