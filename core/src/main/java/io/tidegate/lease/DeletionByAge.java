package io.tidegate.lease;

import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Deletes failed work and idle domains when they reach their age limit. */
final class DeletionByAge {
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
    private static final int ROUNDS_IN_AN_AGE = 4;

    private final WorkLease lease;
    private final StopGate gate;
    private final Consumer<Throwable> errors;
    private final @Nullable Duration failed;
    private final @Nullable Duration idle;
    private final JitteredLoop rounds;

    private DeletionByAge(
            WorkLease lease,
            StopGate gate,
            Consumer<Throwable> errors,
            RunnerClock clock,
            Duration pause,
            @Nullable Duration failed,
            @Nullable Duration idle) {
        this.lease = lease;
        this.gate = gate;
        this.errors = errors;
        this.failed = failed;
        this.idle = idle;
        this.rounds = new JitteredLoop(clock, pause, this::deleteOld);
    }

    /** Returns the deletion that the settings ask for; null if they ask for none. */
    static @Nullable DeletionByAge of(RunnerBuilder settings, StopGate gate, Consumer<Throwable> errors) {
        Duration failed = settings.failedAge;
        Duration idle = settings.idleAge;
        Duration younger = failed == null || (idle != null && idle.compareTo(failed) < 0) ? idle : failed;
        if (younger == null) {
            return null;
        }
        Duration part = younger.dividedBy(ROUNDS_IN_AN_AGE);
        Duration pause = part.compareTo(LONGEST_PAUSE) < 0 ? part : LONGEST_PAUSE;
        return new DeletionByAge(settings.lease, gate, errors, settings.clock, pause, failed, idle);
    }

    void begin() {
        rounds.begin();
    }

    void end() {
        rounds.end();
    }

    private void deleteOld() {
        if (!gate.enter()) {
            return;
        }
        try {
            if (failed != null) {
                lease.deleteFailed(failed);
            }
            if (idle != null) {
                lease.deleteIdle(idle);
            }
        } catch (Throwable away) {
            errors.accept(away);
        } finally {
            gate.leave();
        }
    }
}
