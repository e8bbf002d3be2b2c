package io.tidegate.lab.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.State;
import io.tidegate.lab.breaker.BreakerScene.Guarded;
import io.tidegate.lab.breaker.BreakerScene.Unprotected;
import io.tidegate.lab.load.ManualTime;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.load.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class BreakerReportTest {
    private final BreakerReport report = new BreakerReport(Outage.DEFAULT);
    private final ManualTime time = new ManualTime();
    private Duration now = Duration.ZERO;
    private final StateLog openedAndClosed = new StateLog(() -> now);

    BreakerReportTest() {
        change(1_900, State.OPEN);
        change(6_000, State.CLOSED);
    }

    @Test
    void finding_breakerSpared_statesTheMeasuredNumbers() throws InterruptedException {
        assertThat(report.finding(unprotected(800), guarded(80, openedAndClosed)))
                .contains(
                        "got 80 calls instead of 800",
                        "within 0.10 ms instead of 400 ms",
                        "waited 32.1 s for errors\ninstead of 320.0 s",
                        "closed 500 ms after the service had recovered, and 100\nfewer calls were answered");
    }

    @Test
    void finding_notSpared_saysSo() throws InterruptedException {
        assertThat(report.finding(unprotected(100), guarded(80, openedAndClosed)))
                .startsWith("This run does not show");
    }

    @Test
    void finding_neverOpened_saysSo() throws InterruptedException {
        assertThat(report.finding(unprotected(800), guarded(80, new StateLog(() -> now))))
                .startsWith("This run does not show");
    }

    @Test
    void finding_notClosedAgain_saysSo() throws InterruptedException {
        change(7_000, State.OPEN);

        assertThat(report.finding(unprotected(800), guarded(80, openedAndClosed)))
                .startsWith("This run does not show");
    }

    @Test
    void table_openedAndClosed_showsBothTimes() throws InterruptedException {
        assertThat(report.table(unprotected(800), guarded(80, openedAndClosed))
                        .render()
                        .lines())
                .anyMatch(line -> line.matches("time to open after the failure began +- +400 ms"))
                .anyMatch(line -> line.matches("time to close after the service recovered +- +500 ms"))
                .anyMatch(line -> line.matches("probes sent +- +5"))
                .anyMatch(line -> line.matches("late outcomes, which changed nothing +- +75"));
    }

    @Test
    void table_neverOpened_showsDashes() throws InterruptedException {
        assertThat(report.table(unprotected(800), guarded(80, new StateLog(() -> now)))
                        .render()
                        .lines())
                .anyMatch(line -> line.matches("time to open after the failure began +- +-"));
    }

    @Test
    void everyText_fitsIn100Columns() throws InterruptedException {
        Unprotected open = unprotected(8_000);
        Guarded guarded = guarded(800, openedAndClosed);
        String all = report.opening() + report.table(open, guarded) + report.finding(open, guarded) + "\n"
                + report.finding(unprotected(0), guarded);

        assertThat(all.lines()).allMatch(line -> line.length() <= 100);
    }

    private void change(long millis, State to) {
        now = Duration.ofMillis(millis);
        openedAndClosed.onStateChange("lab", State.CLOSED, to);
    }

    private Unprotected unprotected(int failing) throws InterruptedException {
        Outcomes outcomes = outcomes(800, failing);
        return new Unprotected(outcomes, work(failing));
    }

    private Guarded guarded(int failing, StateLog states) throws InterruptedException {
        Outcomes outcomes = outcomes(700, failing);
        CircuitBreaker open = CircuitBreaker.of("open");
        open.forceOpen();
        for (int i = 0; i < 1_000; i++) {
            Throwable refusal = open.executeAsync(CompletableFuture::new)
                    .toCompletableFuture()
                    .exceptionNow();
            outcomes.record(0, Duration.ofNanos(100_000).toNanos(), refusal);
        }
        return new Guarded(outcomes, work(failing), states, 5, 75);
    }

    private static Outcomes outcomes(int inTime, int failed) {
        Outcomes outcomes = new Outcomes(Outage.DEFAULT.patience(), 8);
        for (int i = 0; i < inTime; i++) {
            outcomes.record(0, Outage.DEFAULT.work().toNanos(), null);
        }
        for (int i = 0; i < failed; i++) {
            outcomes.record(0, Outage.DEFAULT.error().toNanos(), new IOException("status 500"));
        }
        return outcomes;
    }

    private FailingWork work(int failing) throws InterruptedException {
        FailingWork work = new FailingWork(Outage.DEFAULT, new StandingTime(time));
        work.begin();
        time.sleep(Outage.DEFAULT.before().toNanos());
        for (int i = 0; i < failing; i++) {
            work.answer();
        }
        return work;
    }

    /** A clock on which nothing takes any time. */
    private record StandingTime(Time time) implements Time {
        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public void sleep(long nanos) {}
    }
}
