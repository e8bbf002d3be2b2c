package io.tidegate.lab.guard;

import static io.tidegate.lab.load.Outcomes.Kind.FAILED;
import static io.tidegate.lab.load.Outcomes.Kind.IN_TIME;
import static io.tidegate.lab.load.Outcomes.Kind.LATE;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;
import static io.tidegate.lab.print.Numbers.millis;
import static io.tidegate.lab.print.Numbers.seconds;
import static io.tidegate.lab.print.Numbers.whole;

import io.tidegate.guard.Guard;
import io.tidegate.lab.breaker.Outage;
import io.tidegate.lab.guard.GuardScene.Result;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.print.Table;
import java.time.Duration;
import java.util.Locale;

/** Explains the guard scene and reports its results. */
record GuardReport(Storm storm) {
    /** The share of the calls of the last second that must be answered for the report to call the service back. */
    private static final int BACK_PERCENT = 80;

    /** The share up to which the report calls the service down. */
    private static final int DOWN_PERCENT = 20;

    private static final Duration SECOND = Duration.ofSeconds(1);

    String opening() {
        Outage outage = storm.outage();
        return String.format(
                Locale.ROOT,
                """
                A service on the loopback address can answer %,d requests a second, each in %s, and gets %,d
                calls. After %s it fails: for %s each request takes %s and ends with status 500. Then it
                works again, first come first served. Callers give an attempt %s and make up to %d. First they
                just retry, then they do so behind a guard: a retry budget of %.1f and %d a second, a breaker,
                a bulkhead of %d.
                """,
                storm.capacityPerSecond(),
                millis(outage.work()),
                outage.perSecond(),
                seconds(outage.before()),
                seconds(outage.length()),
                millis(outage.error()),
                millis(storm.attemptLimit()),
                Storm.ATTEMPTS,
                Guard.STANDARD_RETRY_RATIO,
                Guard.STANDARD_RETRIES_PER_SECOND,
                Guard.STANDARD_MAX_IN_FLIGHT);
    }

    Table table(Result retrying, Result guarded) {
        return new Table("retries", "guard")
                .row("requests that reached the service", total(retrying), total(guarded))
                .row("  a second, in the last one", whole(lastLoad(retrying)), whole(lastLoad(guarded)))
                .row("retries", retries(retrying), retries(guarded))
                .row("answered in time", count(retrying, IN_TIME), count(guarded, IN_TIME))
                .row("timed out", count(retrying, LATE), count(guarded, LATE))
                .row("failed", count(retrying, FAILED), count(guarded, FAILED))
                .row("refused at once", count(retrying, REFUSED), count(guarded, REFUSED))
                .row("answered in the first second", percent(retrying, 0) + " %", percent(guarded, 0) + " %")
                .row("answered in the last second", lastPercent(retrying) + " %", lastPercent(guarded) + " %");
    }

    String finding(Result retrying, Result guarded) {
        boolean wellBefore = percent(retrying, 0) >= BACK_PERCENT && percent(guarded, 0) >= BACK_PERCENT;
        if (!wellBefore || lastPercent(retrying) > DOWN_PERCENT || lastPercent(guarded) < BACK_PERCENT) {
            return """
                    This run does not show what the guard is for: the service was down before the outage, did not
                    stay down under retries, or did not come back behind the guard. Something else may keep this
                    machine busy; try again when it is idle.""";
        }
        return String.format(
                Locale.ROOT,
                """
                The service worked again for %s. Under retries it still got %s requests a second, more than the
                %s it can answer, and answered %d %% of the last second's calls in time: what kept it down was no
                longer the outage but the retries. Behind the guard it answered %d %%.""",
                seconds(storm.outage().after()),
                whole(lastLoad(retrying)),
                whole(storm.capacityPerSecond()),
                lastPercent(retrying),
                lastPercent(guarded));
    }

    private int lastLoad(Result result) {
        Duration end = storm.outage().end().plus(storm.outage().after());
        return result.arrived().between(end.minus(SECOND), end);
    }

    private int lastPercent(Result result) {
        return percent(result, result.outcomes().inTimeBySecond().length - 1);
    }

    private int percent(Result result, int second) {
        return 100 * result.outcomes().inTimeBySecond()[second] / storm.outage().perSecond();
    }

    private static String total(Result result) {
        return whole(result.arrived().total());
    }

    private static String retries(Result result) {
        return whole(result.stats().retries());
    }

    private static String count(Result result, Outcomes.Kind kind) {
        return whole(result.outcomes().count(kind));
    }
}
