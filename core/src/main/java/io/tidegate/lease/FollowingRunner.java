package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.FailResult.GiveUpNextHint;
import io.tidegate.lease.FailResult.RetryScheduled;
import io.tidegate.lease.SucceedResult.NextHint;
import io.tidegate.stage.OneByOne;
import io.tidegate.stage.Operation;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

final class FollowingRunner implements LeaseRunner {
    /*
     * Of each active domain there is one turn, which goes round: to the executor, where it asks the lease for the work that is due, runs it
     * and tells how it ended; then to the executor again, by way of the scheduler if there is something to wait for. So attempts in a domain cannot
     * overlap, whatever the lease answers to whom.
     *
     * The lease is called under the domain's lock, together with the change of what the runner knows of the domain. Without that, the lease
     * could answer one offer with a token, and another, of the same offset, with the same token before the first has made the domain active:
     * both would run it. The lock is a ReentrantLock, which virtual threads can wait for, and is held for nothing else. The
     * domain leaves the map under its lock when nothing is left to do.
     *
     * Whoever uses the lease is inside the gate, and an attempt stays inside until the lease knows its outcome: stop closes the gate and waits until it is
     * empty.
     */
    private final WorkLease lease;
    private final LeaseTask task;
    private final Executor executor;
    private final ScheduledExecutorService scheduler;
    private final Backoff backoff;
    private final ParkingHandler parking;
    private final LeaseRunnerListener listener;

    private final Map<String, ActiveDomain> domains = new ConcurrentHashMap<>();
    private final StopGate gate = new StopGate();
    private final OneByOne oneByOne = new OneByOne();
    private final LongAdder succeeded = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder parked = new LongAdder();
    private final LongAdder lost = new LongAdder();

    FollowingRunner(RunnerBuilder settings) {
        this.lease = settings.lease;
        this.task = settings.task;
        this.executor = settings.executor;
        this.scheduler = settings.scheduler;
        this.backoff = settings.backoff;
        this.parking = settings.parking;
        this.listener = settings.listener;
    }

    // ---- what callers ask for ----

    @Override
    public AcquireResult offer(String domainId, long offset) {
        return visit(domainId, domain -> domain.offer(offset));
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return visit(domainId, domain -> domain.replay(offset));
    }

    @Override
    public boolean resume(String domainId) {
        return visit(domainId, ActiveDomain::resume);
    }

    private <T> T visit(String domainId, Function<ActiveDomain, T> calls) {
        ActiveDomain domain = lock(requireNonNull(domainId, "domainId"));
        if (!gate.enter()) {
            unlock(domain);
            throw new IllegalStateException("runner: stopped (expected: running)");
        }
        try {
            return calls.apply(domain);
        } finally {
            // a call that threw may have leased something before
            boolean activated = domain.activate();
            boolean held = domain.isHeldElsewhere();
            unlock(domain);
            gate.leave();
            if (activated) {
                goRound(domain, held ? setback(domain) : Duration.ZERO);
            }
        }
    }

    private ActiveDomain lock(String domainId) {
        for (; ; ) {
            ActiveDomain domain = domains.computeIfAbsent(domainId, id -> new ActiveDomain(id, lease));
            domain.lock();
            if (!domain.isRetired()) {
                return domain;
            }
            domain.unlock();
        }
    }

    private void unlock(ActiveDomain domain) {
        if (domain.retire()) {
            domains.remove(domain.id, domain);
        }
        domain.unlock();
    }

    @Override
    public CompletionStage<Void> stop() {
        gate.close();
        for (ActiveDomain domain : domains.values()) {
            Turn turn = domain.waiting;
            if (turn != null) {
                cancel(turn);
            }
        }
        return gate.empty();
    }

    @Override
    public LeaseRunnerStats stats() {
        return new LeaseRunnerStats(
                domains.size(),
                count(domain -> domain.running),
                count(domain -> domain.waiting != null),
                succeeded.sum(),
                failed.sum(),
                parked.sum(),
                lost.sum());
    }

    private int count(Predicate<ActiveDomain> which) {
        return (int) domains.values().stream().filter(which).count();
    }

    @Override
    public String toString() {
        return "LeaseRunner" + stats();
    }

    // ---- a domain's turn ----

    private void takeTurn(ActiveDomain domain) {
        if (!gate.enter()) {
            letGo(domain);
            return;
        }
        LeasedWork work = null;
        Throwable away = null;
        boolean more;
        domain.lock();
        try {
            work = domain.next();
        } catch (Throwable thrown) {
            away = thrown;
        } finally {
            more = work != null || domain.stayActive();
            unlock(domain);
        }
        if (work != null) {
            attempt(domain, work);
            return;
        }
        gate.leave();
        if (away != null) {
            tellError(domain, away);
        }
        if (more) {
            goRound(domain, setback(domain));
        }
    }

    private void attempt(ActiveDomain domain, LeasedWork work) {
        domain.setbacks = 0;
        domain.running = true;
        hold(domain, work);
        tell(told -> told.onStarted(work));
        Throwable error = null;
        try {
            task.run(work);
        } catch (Throwable thrown) {
            error = thrown;
            failed.increment();
        }
        end(domain, work, error);
        if (error != null) {
            Operation.keepInterrupt(error);
        }
    }

    /* From now on, until somebody has finished it, and while it waits for its retry, too. */
    private void hold(ActiveDomain domain, LeasedWork work) {
        Holding before = domain.holding;
        if (!(lease instanceof SharedWorkLease shared) || (before != null && before.isOf(work))) {
            return;
        }
        domain.endHolding();
        Holding holding = new Holding(shared, work, scheduler, error -> tellError(domain, error));
        domain.holding = holding;
        holding.renewInTime();
    }

    private void end(ActiveDomain domain, LeasedWork work, @Nullable Throwable error) {
        if (error == null) {
            endWell(domain, work);
        } else {
            endBadly(domain, work, error);
        }
    }

    private void endWell(ActiveDomain domain, LeasedWork work) {
        SucceedResult answer = finish(domain, work, null, () -> {
            SucceedResult result = lease.succeed(domain.id, work.token());
            domain.endHolding();
            if (result instanceof NextHint next) {
                domain.want(next.offset());
            }
            return result;
        });
        if (answer != null) {
            succeeded.increment();
            tell(told -> told.onSucceeded(work));
            leave(domain, Duration.ZERO);
        }
    }

    private void endBadly(ActiveDomain domain, LeasedWork work, Throwable error) {
        FailResult answer = finish(domain, work, error, () -> {
            Holding holding = domain.holding;
            FailResult result = holding != null ? holding.fail() : lease.fail(domain.id, work.token());
            if (result instanceof RetryScheduled retry) {
                domain.wantAgain(work.afterFailures(retry.retryCount()));
                return result;
            }
            domain.endHolding();
            if (result instanceof GiveUpNextHint next) {
                domain.want(next.offset());
            }
            return result;
        });
        if (answer instanceof RetryScheduled retry) {
            Duration delay = delay(domain, acquiredAtMillis(domain), retry.retryCount());
            tell(told -> told.onRetryScheduled(work, error, delay));
            leave(domain, delay);
        } else if (answer != null) {
            park(domain, work, error);
            leave(domain, Duration.ZERO);
        }
    }

    /* Tells the lease an outcome. Null when nothing is left to do here: the lease does not want it, or is told later. */
    private <R> @Nullable R finish(
            ActiveDomain domain, LeasedWork work, @Nullable Throwable error, Supplier<R> outcome) {
        Throwable thrown;
        domain.lock();
        try {
            return outcome.get();
        } catch (Throwable refused) {
            thrown = refused;
        } finally {
            domain.unlock();
        }
        if (thrown instanceof TokenMismatchException || thrown instanceof LeaseNotFoundException) {
            IllegalStateException refusal = (IllegalStateException) thrown;
            lost.increment();
            domain.endHolding();
            tell(told -> told.onLost(work, refusal));
            wantHead(domain);
            leave(domain, Duration.ZERO);
        } else {
            tellError(domain, thrown);
            later(new Turn(domain, true, () -> end(domain, work, error)), setback(domain));
        }
        return null;
    }

    /* Whoever finished it was told the hint, but what is in line was offered here. */
    private void wantHead(ActiveDomain domain) {
        Throwable away;
        domain.lock();
        try {
            domain.wantHead();
            return;
        } catch (Throwable thrown) {
            away = thrown;
        } finally {
            domain.unlock();
        }
        tellError(domain, away);
    }

    private void park(ActiveDomain domain, LeasedWork work, Throwable error) {
        parked.increment();
        try {
            parking.park(work, error);
        } catch (Throwable thrown) {
            Operation.keepInterrupt(thrown);
            tellError(domain, thrown);
        }
        tell(told -> told.onParked(work, error));
    }

    /* The lease knows how the attempt ended. */
    private void leave(ActiveDomain domain, Duration delay) {
        domain.setbacks = 0;
        domain.running = false;
        domain.lock();
        boolean more = domain.stayActive();
        unlock(domain);
        gate.leave();
        if (more) {
            goRound(domain, delay);
        }
    }

    private void letGo(ActiveDomain domain) {
        domain.running = false;
        domain.endHolding();
        domain.lock();
        domain.letGo();
        unlock(domain);
    }

    // ---- on its way ----

    private void goRound(ActiveDomain domain, Duration delay) {
        Turn turn = new Turn(domain, false, () -> takeTurn(domain));
        if (delay.isZero()) {
            handOver(turn);
        } else {
            later(turn, delay);
        }
    }

    private void handOver(Turn turn) {
        turn.domain.waiting = null;
        try {
            executor.execute(() -> oneByOne.run(turn));
        } catch (Throwable refused) {
            tellError(turn.domain, refused);
            if (turn.take()) {
                later(turn.again(), setback(turn.domain));
            }
        }
    }

    private void later(Turn turn, Duration delay) {
        ActiveDomain domain = turn.domain;
        domain.waiting = turn;
        try {
            turn.setTimer(scheduler.schedule(() -> handOver(turn), Exponential.nanos(delay), TimeUnit.NANOSECONDS));
        } catch (Throwable refused) {
            if (turn.take()) {
                abandon(turn);
                tell(told -> told.onLetGo(domain.id, refused));
            }
        }
        if (gate.isClosed()) {
            cancel(turn);
        }
    }

    /* Outcomes are told even to a runner that stops. */
    private void cancel(Turn turn) {
        if (turn.inside) {
            return;
        }
        turn.cancelTimer();
        if (turn.take()) {
            abandon(turn);
        }
    }

    private void abandon(Turn turn) {
        turn.domain.waiting = null;
        letGo(turn.domain);
        if (turn.inside) {
            gate.leave();
        }
    }

    // ---- user code ----

    private long acquiredAtMillis(ActiveDomain domain) {
        Throwable away;
        domain.lock();
        try {
            return domain.leaseRecord().map(LeaseRecord::acquiredAtMillis).orElse(0L);
        } catch (Throwable thrown) {
            away = thrown;
        } finally {
            domain.unlock();
        }
        tellError(domain, away);
        return 0;
    }

    /* The first wait of those in a row is the first wait of a retry. Domains have waits of their own, lest all come back at once. */
    private Duration setback(ActiveDomain domain) {
        domain.setbacks++;
        return delay(domain, domain.id.hashCode(), domain.setbacks);
    }

    private Duration delay(ActiveDomain domain, long acquiredAtMillis, int retryCount) {
        try {
            Duration delay = backoff.delay(acquiredAtMillis, retryCount);
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay: " + delay + " (expected: not negative)");
            }
            return delay;
        } catch (Throwable broken) {
            tellError(domain, broken);
            return RunnerBuilder.DEFAULT_BACKOFF.delay(acquiredAtMillis, retryCount);
        }
    }

    private void tellError(ActiveDomain domain, Throwable error) {
        tell(told -> told.onError(domain.id, error));
    }

    private void tell(Consumer<LeaseRunnerListener> news) {
        try {
            news.accept(listener);
        } catch (Throwable dropped) {
            Operation.keepInterrupt(dropped);
        }
    }
}
