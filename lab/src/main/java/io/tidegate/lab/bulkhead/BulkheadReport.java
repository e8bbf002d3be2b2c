package io.tidegate.lab.bulkhead;

import static io.tidegate.lab.load.Outcomes.Kind.FAILED;
import static io.tidegate.lab.load.Outcomes.Kind.IN_TIME;
import static io.tidegate.lab.load.Outcomes.Kind.LATE;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;
import static io.tidegate.lab.print.Numbers.millis;
import static io.tidegate.lab.print.Numbers.whole;
import static java.util.stream.Collectors.joining;

import io.tidegate.lab.load.LimitedWork;
import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.load.Trial;
import io.tidegate.lab.print.Numbers;
import io.tidegate.lab.print.Table;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;

/** Explains the bulkhead scene and reports its results. */
record BulkheadReport(Overload overload) {
    /** How many times better the goodput must be for the report to call it better. */
    private static final double CLEARLY = 1.2;

    String opening() {
        return String.format(
                Locale.ROOT,
                """
                A service on the loopback address works on %d requests at once, %s each: %,d per second.
                More may wait inside and slow it down: %,d waiting make its work take twice as long.
                For %d s it gets %,d per second, %d times what it can carry. A caller gives up after %s;
                the service works on regardless, so the bulkhead keeps a permit taken until the service has
                answered (PermitLifetime.OPERATION). First without the bulkhead, then with it:
                """,
                overload.capacity(),
                millis(overload.work()),
                overload.capacityPerSecond(),
                LimitedWork.CROWD,
                overload.length().toSeconds(),
                overload.offeredPerSecond(),
                Overload.FACTOR,
                millis(overload.patience()));
    }

    Table table(Trial.Result open, Trial.Result guarded) {
        Outcomes left = open.outcomes();
        Outcomes right = guarded.outcomes();
        String offered = perSecond(overload.offeredPerSecond());
        return new Table("unprotected", "AsyncBulkhead, limit " + overload.capacity())
                .row("offered", offered, offered)
                .row("goodput: answered in time", perSecond(goodput(left)), perSecond(goodput(right)))
                .row("  second by second", bySecond(left), bySecond(right))
                .row("wait for the answer or time-out, p50", waited(left, 50), waited(right, 50))
                .row("wait for the answer or time-out, p99", waited(left, 99), waited(right, 99))
                .row("timed out", count(left, LATE), count(right, LATE))
                .row("refused", count(left, REFUSED), count(right, REFUSED))
                .row("wait for the refusal, p50", refusedAfter(left, 50), refusedAfter(right, 50))
                .row("wait for the refusal, p99", refusedAfter(left, 99), refusedAfter(right, 99))
                .row("failed otherwise", count(left, FAILED), count(right, FAILED))
                .row("in flight at the service, peak", whole(open.peakInside()), whole(guarded.peakInside()));
    }

    String finding(Trial.Result open, Trial.Result guarded) {
        double before = goodput(open.outcomes());
        double after = goodput(guarded.outcomes());
        Duration slowBefore = open.outcomes().waitAt(99);
        Duration slowAfter = guarded.outcomes().waitAt(99);
        boolean better = after > CLEARLY * before && slowAfter.compareTo(slowBefore) < 0;
        if (!better) {
            return """
                    This run does not show what the bulkhead is for: goodput and p99 are not clearly better.
                    Something else may keep this machine busy; try again when it is idle.""";
        }
        return String.format(
                Locale.ROOT,
                """
                Behind the bulkhead the same service gave %.0f answers a second in time instead of %.0f, with a
                p99 wait of %s instead of %s. It refused %s of the calls, half of them within %s;
                unprotected, %s of the calls timed out or failed.""",
                after,
                before,
                millis(slowAfter),
                millis(slowBefore),
                share(guarded.outcomes(), REFUSED),
                millis(guarded.outcomes().refusalAt(50)),
                share(open.outcomes(), LATE, FAILED));
    }

    private double goodput(Outcomes outcomes) {
        return outcomes.count(IN_TIME) * 1e9 / overload.length().toNanos();
    }

    private static String perSecond(double rate) {
        return String.format(Locale.ROOT, "%,.0f/s", rate);
    }

    private static String bySecond(Outcomes outcomes) {
        return Arrays.stream(outcomes.inTimeBySecond()).mapToObj(Numbers::whole).collect(joining(" "));
    }

    private static String waited(Outcomes outcomes, double percentile) {
        return outcomes.count(IN_TIME) + outcomes.count(LATE) == 0 ? "-" : millis(outcomes.waitAt(percentile));
    }

    private static String refusedAfter(Outcomes outcomes, double percentile) {
        return outcomes.count(REFUSED) == 0 ? "-" : millis(outcomes.refusalAt(percentile));
    }

    private static String count(Outcomes outcomes, Outcomes.Kind kind) {
        return whole(outcomes.count(kind));
    }

    private String share(Outcomes outcomes, Outcomes.Kind... kinds) {
        long calls = Arrays.stream(kinds).mapToLong(outcomes::count).sum();
        return String.format(
                Locale.ROOT, "%.0f%%", 100.0 * calls / overload.arrivals().count());
    }
}
