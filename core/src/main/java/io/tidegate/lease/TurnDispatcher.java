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
 * Sends turns to the executor, through the scheduler if there is something to wait for. Whatever these refuse, and
 * whichever thread hurries or stops a turn meanwhile, the turn is taken once.
 */
final class TurnDispatcher {
    private final Executor executor;
    private final ScheduledExecutorService scheduler;
    private final StopGate gate;
    private final RunnerEvents news;
    private final RetryPauses setbacks;
    private final Consumer<ActiveDomain> letGo;
    private final Trampoline oneByOne = new Trampoline();

    /** @param letGo what happens to the domain of a turn that will not come */
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

    /** Sends the turn, which is inside the gate. */
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
        if (turn.take()) { // otherwise it was called before
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

    /** Work that is taken now ends the wait of the turn. */
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

    /** Cancels the turn, except one that reports an outcome: that is reported even to a runner that stops. */
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
