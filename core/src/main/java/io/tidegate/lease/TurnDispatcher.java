package io.tidegate.lease;

import io.tidegate.lease.DomainTurn.Wait;
import io.tidegate.stage.Trampoline;
import io.tidegate.time.Nanos;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Turns on their way to the executor, by way of the scheduler if there is something to wait for. Whatever these refuse,
 * and whoever hurries or stops a turn meanwhile, it is taken once.
 */
final class TurnDispatcher {
    private final Executor executor;
    private final ScheduledExecutorService scheduler;
    private final StopGate gate;
    private final RunnerEvents news;
    private final RetryPauses setbacks;
    private final Consumer<ActiveDomain> letGo;
    private final Trampoline oneByOne = new Trampoline();

    /** @param letGo what to do with the domain of a turn that will not come */
    TurnDispatcher(
            RunnerBuilder settings,
            StopGate gate,
            RunnerEvents news,
            RetryPauses setbacks,
            Consumer<ActiveDomain> letGo) {
        this.executor = settings.executor;
        this.scheduler = settings.scheduler;
        this.gate = gate;
        this.news = news;
        this.setbacks = setbacks;
        this.letGo = letGo;
    }

    /** It is inside the gate. */
    void send(DomainTurn turn, Duration delay) {
        if (delay.isZero()) {
            handOver(turn);
        } else {
            later(turn, delay);
        }
    }

    private void handOver(DomainTurn turn) {
        turn.setWaits(false);
        turn.domain.turn = turn;
        try {
            executor.execute(() -> oneByOne.run(turn));
        } catch (Throwable refused) {
            news.error(turn.domain.id, refused);
            if (turn.take()) {
                later(turn.refused(), setbacks.next(turn.domain, null));
            }
        }
        stopIfClosed(turn);
    }

    private void later(DomainTurn turn, Duration delay) {
        ActiveDomain domain = turn.domain;
        turn.setWaits(true);
        domain.turn = turn;
        try {
            turn.setTimer(scheduler.schedule(() -> comeInTime(turn), Nanos.of(delay), TimeUnit.NANOSECONDS));
        } catch (Throwable refused) {
            if (turn.take()) {
                abandon(turn);
                news.letGo(domain.id, refused);
            }
        }
        stopIfClosed(turn);
        if ((turn.wait == Wait.LUCK || turn.wait == Wait.RETRY) && hasTaken(domain)) {
            hurry(turn);
        }
    }

    private void comeInTime(DomainTurn turn) {
        if (turn.take()) { // or it was called before
            handOver(turn.again());
        }
    }

    private static boolean hasTaken(ActiveDomain domain) {
        domain.lock();
        try {
            return domain.hasTaken();
        } finally {
            domain.unlock();
        }
    }

    /** What is taken now does not wait for what was waited for before. */
    void hurry(@Nullable DomainTurn turn) {
        if (turn != null && turn.waits() && turn.wait != Wait.THREAD && turn.wait != Wait.TELL && turn.take()) {
            turn.cancelTimer();
            handOver(turn.again());
        }
    }

    private void stopIfClosed(DomainTurn turn) {
        if (gate.isClosed()) {
            cancel(turn);
        }
    }

    /** It does not come, but for one that tells an outcome: that is told even to a runner that stops. */
    void cancel(@Nullable DomainTurn turn) {
        if (turn == null || turn.wait == Wait.TELL) {
            return;
        }
        turn.cancelTimer();
        if (turn.take()) {
            abandon(turn);
        }
    }

    private void abandon(DomainTurn turn) {
        letGo.accept(turn.domain);
        gate.leave();
    }
}
