package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.race.Race;
import io.tidegate.time.Timekeeper;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A limit that fires just when the call ends. */
@Tag("hot")
class InterruptRaceTest {
    /** The clock of one call: the other thread lets the limit fire. */
    private static final class OneAlarm implements Time {
        volatile Timekeeper.@Nullable Alarm alarm;

        @Override
        public void set(Timekeeper.Alarm set, long delayNanos) {
            alarm = set;
        }

        @Override
        public void callOff(Timekeeper.Alarm set) {}
    }

    private static final class Meeting implements Race.Round {
        private final OneAlarm time = new OneAlarm();
        private final CircuitBreaker inner = CircuitBreaker.of("inner");
        private final Guard guard = new GuardBuilder("guard", time)
                .timeLimit(Duration.ofHours(1))
                .breaker(inner)
                .build();
        private volatile boolean inside;
        private @Nullable Throwable thrown;
        private boolean interruptedAfterwards;

        @Override
        public void first() {
            try {
                guard.call(() -> inside = true);
            } catch (Throwable error) {
                thrown = error;
            }
            interruptedAfterwards = Thread.currentThread().isInterrupted();
        }

        @Override
        public void second() {
            while (!inside) {
                Thread.onSpinWait();
            }
            Timekeeper.Alarm alarm = time.alarm;
            if (alarm != null) {
                alarm.run();
            }
        }

        @Override
        public @Nullable String verdict() {
            boolean interrupted = Thread.interrupted(); // an interrupt that came after the call, too
            boolean timedOut = thrown instanceof TimeoutException;
            if (interruptedAfterwards || interrupted) {
                return "an interrupt outlived its call";
            }
            if (thrown != null && !timedOut) {
                return "thrown: " + thrown;
            }
            long failures = inner.counts().totalFailures();
            return failures == (timedOut ? 1 : 0)
                    ? null
                    : "the breaker counted " + failures + " failures, thrown: " + thrown;
        }
    }

    @Test
    @DisplayName("TL-2 TL-3 no interrupt of a limit outlives its call, and the breaker counts what the caller gets")
    void limit_firesAtTheEnd_leavesNoInterrupt() {
        assertThat(Race.run(100_000, Duration.ofSeconds(2), Meeting::new)).isNull();
    }
}
