package io.tidegate.lab.breaker;

import static io.tidegate.lab.load.Outcomes.Kind.FAILED;
import static io.tidegate.lab.load.Outcomes.Kind.IN_TIME;
import static io.tidegate.lab.load.Outcomes.Kind.LATE;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;
import static io.tidegate.lab.print.Numbers.millis;
import static io.tidegate.lab.print.Numbers.seconds;
import static io.tidegate.lab.print.Numbers.whole;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.lab.breaker.BreakerScene.Guarded;
import io.tidegate.lab.breaker.BreakerScene.Unprotected;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.print.Numbers;
import io.tidegate.lab.print.Table;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** Explains the breaker scene and reports its results. */
record BreakerReport(Outage outage) {
    /** How many times fewer calls must reach the failing service for the report to call it spared. */
    private static final int CLEARLY = 2;

    String opening() {
        return String.format(
                Locale.ROOT,
                """
                A service on the loopback address gets %,d calls a second and answers each in %s. After %s it
                begins to fail: for %s each call takes %s and ends with status 500. Then it works again.
                A caller gives up after %s. The breaker opens after more than %d failures in a row, refuses for
                %s, and then sends one probe at a time. First without the breaker, then with it:
                """,
                outage.perSecond(),
                millis(outage.work()),
                seconds(outage.before()),
                seconds(outage.length()),
                millis(outage.error()),
                seconds(outage.patience()),
                CircuitBreaker.DEFAULT_CONSECUTIVE_FAILURES,
                millis(outage.openFor()));
    }

    Table table(Unprotected open, Guarded guarded) {
        Outcomes left = open.outcomes();
        Outcomes right = guarded.outcomes();
        return new Table("unprotected", "CircuitBreaker")
                .row("calls made to the failing service", toFailing(open.work()), toFailing(guarded.work()))
                .row("calls spared: refused by the breaker", count(left, REFUSED), count(right, REFUSED))
                .row("answered in time", count(left, IN_TIME), count(right, IN_TIME))
                .row("errors seen by callers", whole(errors(left)), whole(errors(right)))
                .row("  from the service", count(left, FAILED), count(right, FAILED))
                .row("  timed out", count(left, LATE), count(right, LATE))
                .row("wait for an error, p50", waited(left, 50), waited(right, 50))
                .row("wait for an error, p99", waited(left, 99), waited(right, 99))
                .row("  all callers together", seconds(left.waitedForErrors()), seconds(right.waitedForErrors()))
                .row("time to open after the failure began", "-", orDash(timeToOpen(guarded)))
                .row("time to close after the service recovered", "-", orDash(timeToRecover(guarded)))
                .row("probes sent", "-", whole(guarded.probes()))
                .row("late outcomes, which changed nothing", "-", whole(guarded.late()));
    }

    String finding(Unprotected open, Guarded guarded) {
        long before = open.work().callsWhileFailing();
        long after = guarded.work().callsWhileFailing();
        Duration waitBefore = open.outcomes().errorAt(50);
        Duration waitAfter = guarded.outcomes().errorAt(50);
        Optional<Duration> opening = timeToOpen(guarded);
        Optional<Duration> recovery = timeToRecover(guarded);
        boolean spared = CLEARLY * after < before && waitAfter.compareTo(waitBefore) < 0;
        if (!spared || opening.isEmpty() || recovery.isEmpty()) {
            return """
                    This run does not show what the breaker is for: it did not open and close again, or it spared
                    the service too little. Something else may keep this machine busy; try again when it is idle.""";
        }
        return String.format(
                Locale.ROOT,
                """
                Behind the breaker the failing service got %s calls instead of %s. Half of the errors that
                callers saw came within %s instead of %s; together they waited %s for errors
                instead of %s. The price: it closed %s after the service had recovered, and %s
                fewer calls were answered.""",
                whole(after),
                whole(before),
                millis(waitAfter),
                millis(waitBefore),
                seconds(guarded.outcomes().waitedForErrors()),
                seconds(open.outcomes().waitedForErrors()),
                millis(recovery.get()),
                whole(Math.max(
                        0, open.outcomes().count(IN_TIME) - guarded.outcomes().count(IN_TIME))));
    }

    private Optional<Duration> timeToOpen(Guarded guarded) {
        return guarded.states().opened().map(opened -> opened.minus(outage.before()));
    }

    private Optional<Duration> timeToRecover(Guarded guarded) {
        return guarded.states().closedAgain().map(closed -> closed.minus(outage.end()));
    }

    private static String toFailing(FailingWork work) {
        return whole(work.callsWhileFailing());
    }

    private static long errors(Outcomes outcomes) {
        return outcomes.count(FAILED) + outcomes.count(LATE) + outcomes.count(REFUSED);
    }

    private static String waited(Outcomes outcomes, double percentile) {
        return errors(outcomes) == 0 ? "-" : millis(outcomes.errorAt(percentile));
    }

    private static String orDash(Optional<Duration> duration) {
        return duration.map(Numbers::millis).orElse("-");
    }

    private static String count(Outcomes outcomes, Outcomes.Kind kind) {
        return whole(outcomes.count(kind));
    }
}
