package io.tidegate.lease;

import io.tidegate.lease.SharedWorkLease.BatchAnswer;
import io.tidegate.lease.SharedWorkLease.Finish;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/** Prolongs all leases that a runner holds, together, on threads that nothing else needs. */
final class LeaseKeeper {
    /*
     * It looks often, and asks for all leases at once for which nobody has asked within a third of their duration: one call that is lost or late costs
     * none. A round of calls that does not return holds up nobody: those it was about are asked for again, by another round, when the next third is
     * over. So many rounds that hang are enough to tell.
     */
    private static final int LOOKS = 12;
    private static final int RENEWALS = 3;
    private static final int MOST_AT_ONCE = 500;
    private static final int MOST_ROUNDS = 8;

    private final SharedWorkLease lease;
    private final Pace pace;
    private final StopGate gate;
    private final BiConsumer<String, Throwable> errors;
    private final long pauseMillis;
    private final long dueNanos;

    private final Map<String, Holding> held = new ConcurrentHashMap<>();
    private final AtomicBoolean looks = new AtomicBoolean();
    private final AtomicInteger rounds = new AtomicInteger();

    LeaseKeeper(SharedWorkLease lease, Pace pace, StopGate gate, BiConsumer<String, Throwable> errors) {
        this.lease = lease;
        this.pace = pace;
        this.gate = gate;
        this.errors = errors;
        Duration duration = lease.leaseDuration();
        this.pauseMillis = Math.max(1, duration.dividedBy(LOOKS).toMillis());
        this.dueNanos = nanos(duration.dividedBy(RENEWALS));
    }

    private static long nanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }

    long now() {
        return pace.nanoTime();
    }

    /** Keeps it until it is over. */
    void keep(Holding holding) {
        held.put(holding.domainId, holding);
        lookLater();
    }

    /** Ends it, if that was not done before. */
    boolean end(Holding holding) {
        held.remove(holding.domainId, holding);
        return holding.end();
    }

    /** Whether it was confirmed so long ago that it has to be asked for again before anybody relies on it. */
    boolean isDoubtful(Holding holding) {
        return holding.isOld(pace.nanoTime(), dueNanos);
    }

    /**
     * Asks for this one now.
     *
     * @throws RuntimeException what the engine throws when it cannot be asked
     */
    void confirm(Holding holding) {
        long before = pace.nanoTime();
        try {
            lease.renew(holding.domainId, holding.token);
            holding.asked(before);
            holding.confirmed(before);
        } catch (TokenMismatchException | LeaseNotFoundException lost) {
            held.remove(holding.domainId, holding);
            holding.lose(lost);
        }
    }

    private void lookLater() {
        if (looks.compareAndSet(false, true)) {
            pace.later(this::look, pauseMillis);
        }
    }

    private void look() {
        long now = pace.nanoTime();
        List<Holding> due = held.values().stream()
                .filter(holding -> holding.isDue(now, dueNanos))
                .toList();
        if (!due.isEmpty()) {
            due.forEach(holding -> holding.asked(now));
            beginRound(due);
        }
        looks.set(false);
        if (!held.isEmpty()) {
            lookLater();
        }
    }

    private void beginRound(List<Holding> due) {
        if (rounds.incrementAndGet() > MOST_ROUNDS) {
            rounds.decrementAndGet();
            errors.accept(
                    due.get(0).domainId,
                    new IllegalStateException(
                            "renewals: " + MOST_ROUNDS
                                    + " have not returned (expected: an engine's client that gives up in time, set its time-out)"));
            return;
        }
        pace.later(() -> renewAll(due), 0);
    }

    /* What is still held when the runner stops is prolonged until it has ended; when all has, the engine is not asked any more. */
    private void renewAll(List<Holding> due) {
        boolean entered = gate.enterUntilEmpty();
        try {
            for (int from = 0; entered && from < due.size(); from += MOST_AT_ONCE) {
                renew(due.subList(from, Math.min(due.size(), from + MOST_AT_ONCE)));
            }
        } finally {
            rounds.decrementAndGet();
            if (entered) {
                gate.leave();
            }
        }
    }

    private void renew(List<Holding> together) {
        List<Holding> open =
                together.stream().filter(holding -> !holding.isOver()).toList();
        if (open.isEmpty()) {
            return;
        }
        long before = pace.nanoTime();
        List<BatchAnswer<Long>> answers;
        try {
            answers = lease.renewAll(open.stream()
                    .map(holding -> new Finish(holding.domainId, holding.token))
                    .toList());
        } catch (Throwable away) {
            errors.accept(open.get(0).domainId, away);
            return;
        }
        for (int i = 0; i < open.size(); i++) {
            Holding holding = open.get(i);
            BatchAnswer<Long> answer = answers.get(i);
            answer.refusal().ifPresent(refusal -> {
                held.remove(holding.domainId, holding);
                holding.lose(refusal);
            });
            if (answer.result().filter(until -> until > 0).isPresent()) {
                holding.confirmed(before);
            }
        }
    }
}
