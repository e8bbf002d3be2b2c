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
 * Sends turns to the executor, through the scheduler if there is something to wait for. Each turn is taken once, even
 * if the executor or the scheduler refuses it, or other threads hurry or cancel it meanwhile.
 */
final class TurnDispatcher {
    private final Executor executor;
    private final ScheduledExecutorService scheduler;
    private final StopGate gate;
    private final RunnerEvents events;
    private final RetryPauses pauses;
    private final Consumer<ActiveDomain> letGo;
    private final Trampoline oneByOne = new Trampoline();

    /** @param letGo lets go of the domain of a turn that will not run */
    TurnDispatcher(
            RunnerBuilder settings,
            StopGate gate,
            RunnerEvents events,
            RetryPauses pauses,
            Consumer<ActiveDomain> letGo) {
        this.executor = settings.executor;
        this.scheduler = settings.scheduler;
        this.gate = gate;
        this.events = events;
        this.pauses = pauses;
        this.letGo = letGo;
    }

    /** Sends the turn, which must be inside the gate. */
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
            events.error(turn.domain.id, refused);
            if (turn.take()) {
                later(turn.refused(), pauses.next(turn.domain, null));
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
                events.letGo(domain.id, refused);
            }
        }
        stopIfClosed(turn);
        if ((turn.wait == Wait.SETBACK || turn.wait == Wait.RETRY) && hasTaken(domain)) {
            hurry(turn);
        }
    }

    private void comeInTime(DomainTurn turn) {
        if (turn.take()) { // otherwise another thread has hurried or cancelled it
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

    /** Ends the wait of the turn, because there is work to begin; unless it waits for a thread, or to report. */
    void hurry(@Nullable DomainTurn turn) {
        if (turn != null && turn.waits() && turn.wait != Wait.THREAD && turn.wait != Wait.REPORT && turn.take()) {
            turn.cancelTimer();
            handOver(turn.again());
        }
    }

    private void stopIfClosed(DomainTurn turn) {
        if (gate.isClosed()) {
            cancel(turn);
        }
    }

    /** Cancels the turn, unless it reports an outcome: a runner that stops reports all outcomes. */
    void cancel(@Nullable DomainTurn turn) {
        if (turn == null || turn.wait == Wait.REPORT) {
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
