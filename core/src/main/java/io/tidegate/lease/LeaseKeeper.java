package io.tidegate.lease;

import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.time.Nanos;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** Renews all leases that a runner holds, together, on threads of its own. */
final class LeaseKeeper {
    /*
     * The keeper looks often, and renews together all leases that were not renewed within a quarter of their duration:
     * two calls that are lost or late cost no lease. A call that does not return delays no others: the leases in it are
     * renewed by another call when the next quarter is over. Once several calls hang, no more are made.
     */
    private static final int LOOKS = 12;
    private static final int RENEWALS = 4;
    private static final int MOST_AT_ONCE = 500;
    private static final int MOST_HANGING = 8;

    private final SharedWorkLease lease;
    private final RunnerClock pace;
    private final StopGate gate;
    private final BiConsumer<String, Throwable> errors;
    private final long pauseMillis;
    private final long dueNanos;

    private final Map<String, LeaseRenewal> held = new ConcurrentHashMap<>();
    private final AtomicBoolean looks = new AtomicBoolean();
    private final AtomicInteger calls = new AtomicInteger();

    LeaseKeeper(SharedWorkLease lease, RunnerClock pace, StopGate gate, BiConsumer<String, Throwable> errors) {
        this.lease = lease;
        this.pace = pace;
        this.gate = gate;
        // Elsewhere, because the listener may block.
        this.errors = (domainId, error) -> pace.later(() -> errors.accept(domainId, error), 0);
        Duration duration = lease.leaseDuration();
        this.pauseMillis = duration.dividedBy(LOOKS).toMillis();
        if (pauseMillis < 1) {
            throw new IllegalArgumentException("leaseDuration: " + duration + " (expected: >= "
                    + Duration.ofMillis(LOOKS) + ", or a runner cannot prolong it in time)");
        }
        this.dueNanos = Nanos.of(duration.dividedBy(RENEWALS));
    }

    long now() {
        return pace.nanoTime();
    }

    /** Renews this one until it is over. */
    void keep(LeaseRenewal renewal) {
        held.put(renewal.domainId, renewal);
        lookLater();
    }

    /** Ends this one, unless that was done before. */
    boolean end(LeaseRenewal renewal) {
        held.remove(renewal.domainId, renewal);
        return renewal.end();
    }

    /** Returns whether it was confirmed so long ago that it must be confirmed again before anything relies on it. */
    boolean isDoubtful(LeaseRenewal renewal) {
        return renewal.isOld(pace.nanoTime(), dueNanos);
    }

    /**
     * Renews this one now. Returns whether it still exists.
     *
     * @throws RuntimeException what the engine throws when it cannot be reached
     */
    boolean confirm(LeaseRenewal renewal) {
        long before = pace.nanoTime();
        try {
            lease.renew(renewal.domainId, renewal.token);
            renewal.asked(before);
            renewal.confirmed(before);
            return true;
        } catch (TokenMismatchException | LeaseNotFoundException lost) {
            lose(renewal, lost);
            return false;
        }
    }

    /** Notes that another owner has the lease, as the engine or another answer has shown. */
    void lose(LeaseRenewal renewal, IllegalStateException refusal) {
        held.remove(renewal.domainId, renewal);
        renewal.lose(refusal);
    }

    private void lookLater() {
        if (looks.compareAndSet(false, true)) {
            pace.later(this::look, pauseMillis);
        }
    }

    private void look() {
        long now = pace.nanoTime();
        List<LeaseRenewal> due = held.values().stream()
                .filter(renewal -> renewal.isDue(now, dueNanos))
                .toList();
        if (!due.isEmpty()) {
            due.forEach(renewal -> renewal.asked(now));
            renewAll(due);
        }
        looks.set(false);
        if (!held.isEmpty()) {
            lookLater();
        }
    }

    private void renewAll(List<LeaseRenewal> due) {
        int chunks = 1 + (due.size() - 1) / MOST_AT_ONCE;
        if (calls.get() > MOST_HANGING + chunks) {
            errors.accept(
                    due.get(0).domainId,
                    new IllegalStateException("renewals: " + calls
                            + " have not returned (expected: an engine's client with a time-out that ends them)"));
            return;
        }
        for (int from = 0; from < due.size(); from += MOST_AT_ONCE) {
            List<LeaseRenewal> together = due.subList(from, Math.min(due.size(), from + MOST_AT_ONCE));
            calls.incrementAndGet();
            pace.later(() -> renewOnce(together), 0);
        }
    }

    private void renewOnce(List<LeaseRenewal> together) {
        try {
            if (gate.enterUnlessEmpty()) {
                try {
                    renew(together);
                } finally {
                    gate.leave();
                }
            }
        } finally {
            calls.decrementAndGet();
        }
    }

    private void renew(List<LeaseRenewal> together) {
        List<LeaseRenewal> open =
                together.stream().filter(renewal -> !renewal.isOver()).toList();
        if (open.isEmpty()) {
            return;
        }
        long before = pace.nanoTime();
        List<BatchAnswer<Long>> answers;
        try {
            answers = lease.renewAll(open.stream()
                    .map(renewal -> new Finish(renewal.domainId, renewal.token))
                    .toList());
        } catch (Throwable away) {
            errors.accept(open.get(0).domainId, away);
            return;
        }
        for (int i = 0; i < open.size(); i++) {
            LeaseRenewal renewal = open.get(i);
            BatchAnswer<Long> answer = answers.get(i);
            answer.refusal().ifPresent(refusal -> lose(renewal, refusal));
            if (answer.result().filter(until -> until > 0).isPresent()) {
                renewal.confirmed(before);
            }
        }
    }
}
