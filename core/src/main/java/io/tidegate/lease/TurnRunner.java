package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import io.tidegate.Reading;
import io.tidegate.lease.AcquireResult.HeldElsewhere;
import io.tidegate.lease.DomainTurn.Wait;
import io.tidegate.stage.Stages;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The library's {@link LeaseRunner}: gives each domain with work one turn at a time. */
final class TurnRunner implements LeaseRunner {
    /*
     * Each active domain has one turn. On the executor the turn asks the lease for the next work, runs it and reports
     * its outcome; then the turn goes to the executor again, through the scheduler if there is something to wait for.
     * So attempts in a domain cannot overlap, whatever the lease answers to other callers.
     *
     * The lease is called under the domain's lock, and what the runner knows of the domain changes in the same section
     * of the lock. Otherwise two offers of one offset could get the same token before the first of them has made the
     * domain active, and both would run the work. The lock is a ReentrantLock, on which virtual threads can wait, and
     * is held for nothing else. The domain leaves the map under its lock when no work is left.
     *
     * The keeper renews each lease on an engine from the answer that granted it, on threads that neither tasks nor the
     * user's timers keep busy, and notices when a lease is lost.
     *
     * Every use of the lease happens inside the gate, and an attempt stays inside until the lease knows its outcome:
     * `stop` closes the gate and waits until it is empty. Work that has not begun by then is given back.
     */
    private static final String LOST_WITH_OWNER = "lost with its owner, no retry left";

    private final String name;
    private final WorkLease lease;
    private final @Nullable SharedWorkLease shared;
    private final StageTask task;
    private final RunnerEvents events;
    private final RetryPauses pauses;
    private final TurnDispatcher turns;
    private final LeaseReleases releases;
    private final boolean interruptsLost;
    private final RunnerClock clock;
    private final @Nullable LeaseKeeper keeper;
    private final @Nullable Sweep sweep;
    private final @Nullable DeletionByAge deletion;

    private final ActiveDomains domains;
    private final LeaseOutcomes outcomes;
    private final StopGate gate = new StopGate();

    TurnRunner(RunnerBuilder settings) {
        this.name = settings.name;
        this.lease = settings.lease;
        this.shared = lease instanceof SharedWorkLease engine ? engine : null;
        this.task = settings.task;
        this.events = new RunnerEvents(settings, shared != null);
        this.pauses = new RetryPauses(settings, shared, events);
        this.interruptsLost = settings.interruptsLost;
        this.clock = settings.clock;
        this.turns = new TurnDispatcher(settings, gate, events, pauses, this::letGo);
        this.releases = new LeaseReleases(shared, clock, gate, events);
        this.keeper = shared == null ? null : new LeaseKeeper(shared, clock, gate, events::error);
        this.domains = new ActiveDomains(id -> new ActiveDomain(id, lease, keeper, this::loseSoon));
        this.outcomes = new LeaseOutcomes(lease, domains, clock, gate, events, pauses, turns, this::leave);
        this.sweep = shared == null ? null : new Sweep(shared, clock, gate, settings.sweepEvery, this);
        this.deletion = DeletionByAge.of(settings, gate, error -> events.error("", error));
    }

    /** Starts to sweep, if the lease is on an engine, and to delete by age, if the settings ask for it. */
    TurnRunner start() {
        if (sweep != null) {
            sweep.begin();
        }
        if (deletion != null) {
            deletion.begin();
        }
        return this;
    }

    // ---- what callers ask for ----

    @Override
    public AcquireResult offer(String domainId, long offset) {
        return visit(domainId, domain -> domain.offer(offset));
    }

    @Override
    public CompletionStage<Completion> completion(String domainId, long offset) {
        return visit(domainId, domain -> {
            boolean awaited = domain.isAwaited(offset);
            CompletableFuture<Completion> end = domain.await(offset);
            if (!awaited) {
                try {
                    domain.offer(offset);
                } catch (Throwable refused) {
                    domain.noteRefused(offset, refused);
                    throw refused;
                }
            }
            return end.minimalCompletionStage();
        });
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return visit(domainId, domain -> domain.replay(offset));
    }

    @Override
    public boolean resume(String domainId) {
        return visit(domainId, ActiveDomain::resume);
    }

    @Override
    public CompletionStage<Void> revoke(String domainId) {
        ActiveDomain domain = domains.lock(requireNonNull(domainId, "domainId"));
        CompletableFuture<Void> gone = domain.revoke();
        domains.unlock(domain);
        if (!gone.isDone()) {
            turns.cancel(domain.turn);
        }
        return gone.minimalCompletionStage();
    }

    /**
     * Takes up a domain that a sweep has found, when a thread is free. Returns whether the domain is new to the runner.
     */
    boolean takeUp(String domainId) {
        if (seesTo(domainId)) {
            return false;
        }
        ActiveDomain domain = domains.lock(domainId);
        if (!gate.enter()) {
            domains.unlock(domain);
            return false;
        }
        return visit(domain, ActiveDomain::sweep);
    }

    void tellError(String domainId, Throwable error) {
        events.error(domainId, error);
    }

    /** Returns whether this runner works on the domain, without waiting for the domain's lock. */
    boolean seesTo(String domainId) {
        return domains.contains(domainId);
    }

    private <T> T visit(String domainId, Function<ActiveDomain, T> calls) {
        ActiveDomain domain = domains.lock(requireNonNull(domainId, "domainId"));
        if (!gate.enter()) {
            domains.unlock(domain);
            throw new IllegalStateException("runner: stopped (expected: running)");
        }
        return visit(domain, calls);
    }

    /* Called inside the gate and with the domain locked; leaves the gate and unlocks the domain. */
    private <T> T visit(ActiveDomain domain, Function<ActiveDomain, T> calls) {
        try {
            return calls.apply(domain);
        } finally {
            // a call that threw may have leased work before that
            boolean activated = domain.activate();
            HeldElsewhere held = domain.heldBy();
            boolean taken = domain.hasTaken();
            domains.unlock(domain);
            if (activated) {
                goRound(domain, held == null ? Duration.ZERO : pauses.next(domain, held), Wait.SETBACK);
            } else if (taken) {
                turns.hurry(domain.turn);
            }
            gate.leave();
        }
    }

    @Override
    public CompletionStage<Void> stop() {
        if (gate.enter()) { // stays inside until everything is released
            gate.close();
            if (sweep != null) {
                sweep.end();
            }
            if (deletion != null) {
                deletion.end();
            }
            stopAll();
        }
        return gate.empty();
    }

    /*
     * Stops each domain on a thread of its own if that may call an engine: a call that hangs must not delay the others.
     */
    private void stopAll() {
        for (ActiveDomain domain : domains.all()) {
            if (shared == null) {
                turns.cancel(domain.turn);
            } else {
                gate.enterToo();
                clock.later(() -> stop(domain), 0);
            }
        }
        gate.leave();
    }

    private void stop(ActiveDomain domain) {
        try {
            turns.cancel(domain.turn);
        } finally {
            gate.leave();
        }
    }

    @Override
    public void close() {
        stop().toCompletableFuture().join();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public LeaseRunnerStats stats() {
        return events.stats(domains.size(), domains.count(domain -> domain.running), domains.count(TurnRunner::waits));
    }

    @Override
    public void read(Reading to) {
        LeaseRunner.super.read(to);
        events.read(to);
    }

    private static boolean waits(ActiveDomain domain) {
        DomainTurn turn = domain.turn;
        return turn != null && turn.waits();
    }

    @Override
    public String toString() {
        return "LeaseRunner" + stats();
    }

    // ---- a domain's turn ----

    private void takeTurn(ActiveDomain domain) {
        domain.turn = null;
        if (gate.isClosed()) {
            letGo(domain);
            gate.leave();
            return;
        }
        LeasedWork work = null;
        Throwable away = null;
        domain.lock();
        boolean swept = domain.endSweep();
        try {
            work = domain.next();
        } catch (Throwable thrown) {
            away = thrown;
        }
        LeasedWork givenUp = domain.takeGivenUp();
        HeldElsewhere held = domain.heldBy();
        boolean revoked = domain.isRevoked();
        boolean left = revoked || (work == null && domain.sweptTooLate());
        boolean more = !left && (work != null || domain.stayActive());
        domain.running = work != null && !left;
        HeldLease released = left ? domain.letGo() : null;
        domains.unlock(domain);
        if (swept && work != null) {
            events.countSwept();
        }
        tellSweep(swept, work == null && away == null);
        if (givenUp != null) {
            outcomes.park(domain, givenUp, new IllegalStateException(LOST_WITH_OWNER));
        }
        if (away != null) {
            events.error(domain.id, away);
        }
        if (work != null && !left) {
            begin(domain, work);
            return;
        }
        if (more) {
            goRound(domain, pauses.next(domain, held), Wait.SETBACK);
        }
        releases.release(released);
        gate.leave();
    }

    /*
     * Begins the work, unless the runner has stopped since the lease was asked, or the lease was lost since it
     * answered.
     */
    private void begin(ActiveDomain domain, LeasedWork work) {
        HeldLease heldLease = work.heldLease();
        if (gate.isClosed()) {
            domain.running = false;
            letGo(domain);
            gate.leave();
            return;
        }
        boolean held;
        try {
            held = heldLease == null || keeper == null || confirmHeld(keeper, heldLease);
        } catch (Throwable away) {
            events.error(domain.id, away);
            domain.lock();
            domain.want(work.offset()); // the lease is still held: the work begins when the engine confirms that
            domains.unlock(domain);
            domain.running = false;
            goRound(domain, pauses.next(domain, null), Wait.RETRY);
            gate.leave();
            return;
        }
        if (held) {
            attempt(domain, work);
        } else {
            leave(domain, Duration.ZERO);
        }
    }

    private static boolean confirmHeld(LeaseKeeper keeper, HeldLease heldLease) {
        return !heldLease.isOver()
                && (!keeper.isDoubtful(heldLease) || keeper.confirm(heldLease))
                && !heldLease.isOver();
    }

    private void attempt(ActiveDomain domain, LeasedWork work) {
        domain.setbacks = 0;
        events.started(work);
        HeldLease heldLease = interruptsLost ? work.heldLease() : null;
        CompletionStage<?> stage = null;
        Throwable error = null;
        boolean interruptedHere = false;
        if (heldLease != null) {
            heldLease.attemptBegins(Thread.currentThread());
        }
        long begun = events.runs.begin();
        try {
            stage = requireNonNull(task.run(work), "task: returned no stage (expected: one that is not null)");
        } catch (Throwable thrown) {
            error = unwrapped(thrown);
        } finally {
            if (heldLease != null) {
                interruptedHere = heldLease.attemptEnds();
            }
        }
        if (stage == null || Stages.hasSucceeded(stage)) {
            events.runs.end(begun);
            outcomes.report(domain, work, error);
            if (error != null && !interruptedHere) {
                Stages.keepInterrupt(error);
            }
        } else {
            follow(domain, work, stage, begun);
        }
    }

    /* Reports the outcome on the executor, because the thread that ends the stage has other things to do. */
    private void follow(ActiveDomain domain, LeasedWork work, CompletionStage<?> stage, long begun) {
        AtomicBoolean ended = new AtomicBoolean(); // a stage may signal twice
        try {
            stage.whenComplete((value, error) -> {
                if (ended.compareAndSet(false, true)) {
                    events.runs.end(begun);
                    Throwable cause = error == null ? null : unwrapped(error);
                    turns.send(
                            new DomainTurn(domain, Wait.REPORT, () -> outcomes.report(domain, work, cause)),
                            Duration.ZERO);
                }
            });
        } catch (Throwable hostile) {
            if (ended.compareAndSet(false, true)) {
                events.runs.end(begun);
                outcomes.report(domain, work, hostile);
            }
        }
    }

    private static Throwable unwrapped(Throwable error) {
        Throwable cause = Stages.inside(error);
        return cause == null ? error : cause;
    }

    // ---- lost ----

    /* Runs on another thread, because the keeper has other leases to renew. */
    private void loseSoon(ActiveDomain domain, LeasedWork work) {
        clock.later(() -> lose(domain, work), 0);
    }

    private void lose(ActiveDomain domain, LeasedWork work) {
        HeldLease heldLease = requireNonNull(work.heldLease());
        IllegalStateException refusal = requireNonNull(heldLease.refusal());
        events.lost(work, refusal);
        domain.lock();
        DomainTurn turn = domain.turn;
        // under the lock, because another thread may add work and start a new turn
        boolean over = domain.drop(work) && turn != null && turn.wait != Wait.REPORT && turn.take();
        boolean swept = over && domain.endSweep();
        if (over) {
            domain.letGo();
        }
        domains.unlock(domain);
        if (over && turn != null) {
            turn.cancelTimer();
            tellSweep(swept, false);
            gate.leave();
        }
    }

    /* Goes on with the domain when an attempt is over, or did not begin. */
    private void leave(ActiveDomain domain, Duration delay) {
        domain.setbacks = 0;
        domain.lock();
        domain.running = false;
        HeldLease released = domain.isRevoked() ? domain.letGo() : null;
        boolean more = domain.stayActive();
        domains.unlock(domain);
        if (more) {
            goRound(domain, delay, Wait.RETRY);
        }
        releases.release(released);
        gate.leave();
    }

    private void tellSweep(boolean swept, boolean inVain) {
        if (swept && sweep != null) {
            sweep.begun(inVain);
        }
    }

    private void letGo(ActiveDomain domain) {
        domain.lock();
        domain.running = false;
        boolean swept = domain.endSweep();
        HeldLease held = domain.letGo();
        domains.unlock(domain);
        tellSweep(swept, false);
        releases.release(held);
    }

    /* Sends a turn of the domain. The turn is inside the gate until it has run or was cancelled. */
    private void goRound(ActiveDomain domain, Duration delay, Wait wait) {
        gate.enterToo();
        turns.send(new DomainTurn(domain, wait, () -> takeTurn(domain)), delay);
    }
}
