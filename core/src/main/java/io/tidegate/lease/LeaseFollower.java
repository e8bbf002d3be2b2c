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

final class LeaseFollower implements LeaseRunner {
    /*
     * Each active domain has one turn. On the executor the turn asks the lease for the work that is due, runs it and
     * reports its outcome; then it goes to the executor again, through the scheduler if there is something to wait for.
     * So attempts in a domain cannot overlap, whatever the lease answers to other callers.
     *
     * The lease is called under the domain's lock, together with the change of what the runner knows of the domain.
     * Otherwise the lease could give one offer a token, and another offer of the same offset the same token, before the
     * first has made the domain active: both would run it. The lock is a ReentrantLock, on which virtual threads can
     * wait, and is held for nothing else. The domain leaves the map under its lock when no work is left.
     *
     * The keeper renews a lease on an engine from the answer that granted it, on threads that neither tasks nor timers
     * use, and notices when it is lost.
     *
     * Every use of the lease happens inside the gate, and an attempt stays inside until the lease knows its outcome:
     * stop closes the gate and waits until it is empty. Work that has not begun by then is released.
     */
    private static final String LOST_WITH_OWNER = "lost with its owner, no retry left";

    private final String name;
    private final WorkLease lease;
    private final @Nullable SharedWorkLease shared;
    private final StageTask task;
    private final RunnerEvents news;
    private final RetryPauses setbacks;
    private final TurnDispatcher turns;
    private final LeaseReleases releases;
    private final boolean interruptsLost;
    private final RunnerClock pace;
    private final @Nullable LeaseKeeper keeper;
    private final @Nullable Sweep sweep;
    private final @Nullable CleanUp cleanUp;

    private final ActiveDomains domains;
    private final LeaseOutcomes outcomes;
    private final StopGate gate = new StopGate();

    LeaseFollower(RunnerBuilder settings) {
        this.name = settings.name;
        this.lease = settings.lease;
        this.shared = lease instanceof SharedWorkLease engine ? engine : null;
        this.task = settings.task;
        this.news = new RunnerEvents(settings, shared != null);
        this.setbacks = new RetryPauses(settings, shared, news);
        this.interruptsLost = settings.interruptsLost;
        this.pace = settings.pace;
        this.turns = new TurnDispatcher(settings, gate, news, setbacks, this::letGo);
        this.releases = new LeaseReleases(shared, pace, gate, news);
        this.keeper = shared == null ? null : new LeaseKeeper(shared, pace, gate, news::error);
        this.domains = new ActiveDomains(id -> new ActiveDomain(id, lease, keeper, this::loseSoon));
        this.outcomes = new LeaseOutcomes(lease, domains, pace, gate, news, setbacks, turns, this::leave);
        this.sweep = shared == null ? null : new Sweep(shared, pace, gate, settings.sweepEvery, this);
        this.cleanUp = CleanUp.of(settings, gate, error -> news.error("", error));
    }

    /** Starts to sweep, if the lease is on an engine, and to clean up, if the settings ask for it. */
    LeaseFollower start() {
        if (sweep != null) {
            sweep.begin();
        }
        if (cleanUp != null) {
            cleanUp.begin();
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
                    domain.tellRefused(offset, refused);
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

    /** Takes up a domain that a sweep has found, when a thread is free. Returns whether it is new to the runner. */
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
        news.error(domainId, error);
    }

    /** Returns whether this runner works on the domain; the turn may hold its lock for long. */
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

    /* Called inside the gate and with the lock; leaves both. */
    private <T> T visit(ActiveDomain domain, Function<ActiveDomain, T> calls) {
        try {
            return calls.apply(domain);
        } finally {
            // a call that threw may have leased work before it did
            boolean activated = domain.activate();
            HeldElsewhere held = domain.heldBy();
            boolean taken = domain.hasTaken();
            domains.unlock(domain);
            if (activated) {
                goRound(domain, held == null ? Duration.ZERO : setbacks.next(domain, held), Wait.LUCK);
            } else if (taken) {
                turns.hurry(domain.turn);
            }
            gate.leave();
        }
    }

    @Override
    public CompletionStage<Void> stop() {
        if (gate.enter()) { // and stays inside until everything is released
            gate.close();
            if (sweep != null) {
                sweep.end();
            }
            if (cleanUp != null) {
                cleanUp.end();
            }
            stopAll();
        }
        return gate.empty();
    }

    /* Each on its own if it may call an engine: one that hangs must not delay the others. */
    private void stopAll() {
        for (ActiveDomain domain : domains.all()) {
            if (shared == null) {
                turns.cancel(domain.turn);
            } else {
                gate.enterToo();
                pace.later(() -> stop(domain), 0);
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
        return news.stats(domains.size(), domains.count(domain -> domain.running), domains.count(LeaseFollower::waits));
    }

    @Override
    public void read(Reading to) {
        LeaseRunner.super.read(to);
        news.read(to);
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
        boolean left = revoked || (work == null && domain.isSweptByAnother());
        boolean more = !left && (work != null || domain.stayActive());
        domain.running = work != null && !left;
        LeaseRenewal released = left ? domain.letGo() : null;
        domains.unlock(domain);
        if (swept && work != null) {
            news.countSwept();
        }
        tellSweep(swept, work == null && away == null);
        if (givenUp != null) {
            outcomes.park(domain, givenUp, new IllegalStateException(LOST_WITH_OWNER));
        }
        if (away != null) {
            news.error(domain.id, away);
        }
        if (work != null && !left) {
            begin(domain, work);
            return;
        }
        if (more) {
            goRound(domain, setbacks.next(domain, held), Wait.LUCK);
        }
        releases.release(released);
        gate.leave();
    }

    /* The runner may have stopped since the lease was asked, and the lease may have been lost since it answered. */
    private void begin(ActiveDomain domain, LeasedWork work) {
        LeaseRenewal renewal = work.renewal();
        if (gate.isClosed()) {
            domain.running = false;
            letGo(domain);
            gate.leave();
            return;
        }
        boolean held;
        try {
            held = renewal == null || keeper == null || isHeld(keeper, renewal);
        } catch (Throwable away) {
            news.error(domain.id, away);
            domain.lock();
            domain.want(work.offset()); // still held: begins when the engine confirms it
            domains.unlock(domain);
            domain.running = false;
            goRound(domain, setbacks.next(domain, null), Wait.RETRY);
            gate.leave();
            return;
        }
        if (held) {
            attempt(domain, work);
        } else {
            leave(domain, Duration.ZERO);
        }
    }

    private static boolean isHeld(LeaseKeeper keeper, LeaseRenewal renewal) {
        return !renewal.isOver() && (!keeper.isDoubtful(renewal) || keeper.confirm(renewal)) && !renewal.isOver();
    }

    private void attempt(ActiveDomain domain, LeasedWork work) {
        domain.setbacks = 0;
        news.started(work);
        LeaseRenewal renewal = interruptsLost ? work.renewal() : null;
        CompletionStage<?> stage = null;
        Throwable error = null;
        boolean interruptedHere = false;
        if (renewal != null) {
            renewal.attemptBegins(Thread.currentThread());
        }
        long begun = news.runs.begin();
        try {
            stage = requireNonNull(task.run(work), "task: returned no stage (expected: one that is not null)");
        } catch (Throwable thrown) {
            error = unwrapped(thrown);
        } finally {
            if (renewal != null) {
                interruptedHere = renewal.attemptEnds();
            }
        }
        if (stage == null || Stages.hasSucceeded(stage)) {
            news.runs.end(begun);
            outcomes.report(domain, work, error);
            if (error != null && !interruptedHere) {
                Stages.keepInterrupt(error);
            }
        } else {
            follow(domain, work, stage, begun);
        }
    }

    /* Reports to the lease on the executor: the thread that ends the stage has other things to do. */
    private void follow(ActiveDomain domain, LeasedWork work, CompletionStage<?> stage, long begun) {
        AtomicBoolean ended = new AtomicBoolean(); // a stage may signal twice
        try {
            stage.whenComplete((value, error) -> {
                if (ended.compareAndSet(false, true)) {
                    news.runs.end(begun);
                    Throwable cause = error == null ? null : unwrapped(error);
                    turns.send(
                            new DomainTurn(domain, Wait.TELL, () -> outcomes.report(domain, work, cause)),
                            Duration.ZERO);
                }
            });
        } catch (Throwable hostile) {
            if (ended.compareAndSet(false, true)) {
                news.runs.end(begun);
                outcomes.report(domain, work, hostile);
            }
        }
    }

    private static Throwable unwrapped(Throwable error) {
        Throwable cause = Stages.inside(error);
        return cause == null ? error : cause;
    }

    // ---- lost ----

    /* On another thread: the keeper has other leases to renew. */
    private void loseSoon(ActiveDomain domain, LeasedWork work) {
        pace.later(() -> lose(domain, work), 0);
    }

    private void lose(ActiveDomain domain, LeasedWork work) {
        LeaseRenewal renewal = requireNonNull(work.renewal());
        IllegalStateException refusal = requireNonNull(renewal.refusal());
        news.lost(work, refusal);
        domain.lock();
        DomainTurn turn = domain.turn;
        // under the lock, because another thread may add work and start a new turn
        boolean over = domain.drop(work) && turn != null && turn.wait != Wait.TELL && turn.take();
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

    /* The attempt is over, or did not begin. */
    private void leave(ActiveDomain domain, Duration delay) {
        domain.setbacks = 0;
        domain.lock();
        domain.running = false;
        LeaseRenewal released = domain.isRevoked() ? domain.letGo() : null;
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
        LeaseRenewal held = domain.letGo();
        domains.unlock(domain);
        tellSweep(swept, false);
        releases.release(held);
    }

    /* The turn is inside the gate from here on, until it has been taken or let go. */
    private void goRound(ActiveDomain domain, Duration delay, Wait wait) {
        gate.enterToo();
        turns.send(new DomainTurn(domain, wait, () -> takeTurn(domain)), delay);
    }
}
