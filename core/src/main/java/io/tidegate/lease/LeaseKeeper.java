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
     * The keeper looks often, and renews all leases together that were not renewed within a quarter of their duration:
     * so two calls that are lost or late cost no lease. A call that does not return delays no other call: its leases
     * are renewed by another call when the next quarter is over. Once several calls hang, no more are made.
     */
    private static final int LOOKS = 12;
    private static final int RENEWALS = 4;
    private static final int MOST_AT_ONCE = 500;
    private static final int MOST_HANGING = 8;

    private final SharedWorkLease lease;
    private final RunnerClock clock;
    private final StopGate gate;
    private final BiConsumer<String, Throwable> errors;
    private final long pauseMillis;
    private final long dueNanos;

    private final Map<String, HeldLease> held = new ConcurrentHashMap<>();
    private final AtomicBoolean lookPlanned = new AtomicBoolean();
    private final AtomicInteger calls = new AtomicInteger();

    LeaseKeeper(SharedWorkLease lease, RunnerClock clock, StopGate gate, BiConsumer<String, Throwable> errors) {
        this.lease = lease;
        this.clock = clock;
        this.gate = gate;
        // On another thread, because the listener may block.
        this.errors = (domainId, error) -> clock.later(() -> errors.accept(domainId, error), 0);
        Duration duration = lease.leaseDuration();
        this.pauseMillis = duration.dividedBy(LOOKS).toMillis();
        if (pauseMillis < 1) {
            throw new IllegalArgumentException("leaseDuration: " + duration + " (expected: >= "
                    + Duration.ofMillis(LOOKS) + ", or a runner cannot prolong it in time)");
        }
        this.dueNanos = Nanos.of(duration.dividedBy(RENEWALS));
    }

    long now() {
        return clock.nanoTime();
    }

    /** Renews this lease until it is over. */
    void keep(HeldLease heldLease) {
        held.put(heldLease.domainId, heldLease);
        lookLater();
    }

    /** Ends this lease. Returns whether it had not ended before. */
    boolean end(HeldLease heldLease) {
        held.remove(heldLease.domainId, heldLease);
        return heldLease.end();
    }

    /**
     * Returns whether this lease was confirmed so long ago that it must be confirmed again before work relies on it.
     */
    boolean isDoubtful(HeldLease heldLease) {
        return heldLease.isOld(clock.nanoTime(), dueNanos);
    }

    /**
     * Renews this lease now. Returns whether it still exists.
     *
     * @throws RuntimeException what the engine throws when it cannot be reached
     */
    boolean confirm(HeldLease heldLease) {
        long before = clock.nanoTime();
        try {
            lease.renew(heldLease.domainId, heldLease.token);
            heldLease.asked(before);
            heldLease.confirmed(before);
            return true;
        } catch (TokenMismatchException | LeaseNotFoundException lost) {
            lose(heldLease, lost);
            return false;
        }
    }

    /** Notes that the lease is lost, as the engine has answered. */
    void lose(HeldLease heldLease, IllegalStateException refusal) {
        held.remove(heldLease.domainId, heldLease);
        heldLease.lose(refusal);
    }

    private void lookLater() {
        if (lookPlanned.compareAndSet(false, true)) {
            clock.later(this::look, pauseMillis);
        }
    }

    private void look() {
        long now = clock.nanoTime();
        List<HeldLease> due = held.values().stream()
                .filter(heldLease -> heldLease.isDue(now, dueNanos))
                .toList();
        if (!due.isEmpty()) {
            due.forEach(heldLease -> heldLease.asked(now));
            renewAll(due);
        }
        lookPlanned.set(false);
        if (!held.isEmpty()) {
            lookLater();
        }
    }

    private void renewAll(List<HeldLease> due) {
        int chunks = 1 + (due.size() - 1) / MOST_AT_ONCE;
        if (calls.get() > MOST_HANGING + chunks) {
            errors.accept(
                    due.get(0).domainId,
                    new IllegalStateException("renewals: " + calls
                            + " have not returned (expected: an engine's client with a time-out that ends them)"));
            return;
        }
        for (int from = 0; from < due.size(); from += MOST_AT_ONCE) {
            List<HeldLease> together = due.subList(from, Math.min(due.size(), from + MOST_AT_ONCE));
            calls.incrementAndGet();
            clock.later(() -> renewOnce(together), 0);
        }
    }

    private void renewOnce(List<HeldLease> together) {
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

    private void renew(List<HeldLease> together) {
        List<HeldLease> open =
                together.stream().filter(heldLease -> !heldLease.isOver()).toList();
        if (open.isEmpty()) {
            return;
        }
        long before = clock.nanoTime();
        List<BatchAnswer<Long>> answers;
        try {
            answers = lease.renewAll(open.stream()
                    .map(heldLease -> new Finish(heldLease.domainId, heldLease.token))
                    .toList());
        } catch (Throwable away) {
            errors.accept(open.get(0).domainId, away);
            return;
        }
        for (int i = 0; i < open.size(); i++) {
            HeldLease heldLease = open.get(i);
            BatchAnswer<Long> answer = answers.get(i);
            answer.refusal().ifPresent(refusal -> lose(heldLease, refusal));
            if (answer.result().filter(until -> until > 0).isPresent()) {
                heldLease.confirmed(before);
            }
        }
    }
}
