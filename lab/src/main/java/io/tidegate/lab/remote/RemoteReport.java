package io.tidegate.lab.remote;

import static io.tidegate.lab.load.Outcomes.Kind.FAILED;
import static io.tidegate.lab.load.Outcomes.Kind.IN_TIME;
import static io.tidegate.lab.load.Outcomes.Kind.LATE;
import static io.tidegate.lab.load.Outcomes.Kind.REFUSED;
import static io.tidegate.lab.print.Numbers.millis;
import static io.tidegate.lab.print.Numbers.seconds;
import static io.tidegate.lab.print.Numbers.whole;
import static io.tidegate.lab.remote.LoweredCap.Phase.AFTER;
import static io.tidegate.lab.remote.LoweredCap.Phase.BEFORE;
import static io.tidegate.lab.remote.LoweredCap.Phase.LOWERED;

import io.tidegate.lab.load.Outcomes;
import io.tidegate.lab.print.Numbers;
import io.tidegate.lab.print.Table;
import io.tidegate.lab.remote.LoweredCap.Phase;
import io.tidegate.lab.remote.RemoteLog.Drain;
import io.tidegate.lab.remote.RemoteLog.Standing;
import io.tidegate.lab.remote.RemoteScene.Closing;
import io.tidegate.lab.remote.RemoteScene.Latency;
import io.tidegate.lab.remote.RemoteScene.Result;
import io.tidegate.remote.BulkheadEventCode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/** Explains the remote scene and reports its results. */
record RemoteReport(LoweredCap plan) {
    String opening() {
        return String.format(
                Locale.ROOT,
                """
                A service on the loopback address gets %,d calls a second and works on each for %s, so about %d
                are in flight behind a RemoteBulkhead with a cap of %d. After %s an operator lowers the cap to
                %d, which carries %,d a second; after another %s the cap is raised again. Up to %d calls wait in
                line, for up to %s; others are refused. A caller gives up after %s. A call counts in the
                phase in which it was due. At last the client is drained:
                """,
                plan.perSecond(),
                millis(plan.work()),
                plan.usuallyInFlight(),
                plan.cap(),
                seconds(plan.phase()),
                plan.lowered(),
                plan.loweredPerSecond(),
                seconds(plan.phase()),
                plan.maxDepth(),
                seconds(plan.timeout()),
                seconds(plan.patience()));
    }

    Table table(Result result) {
        RemoteLog log = result.log();
        Table table = new Table(
                        "before, cap " + plan.cap(), "lowered, cap " + plan.lowered(), "after, cap " + plan.cap())
                .row("offered", cells(phase -> whole(plan.arrivals().count())))
                .row("answered in time", counts(result, IN_TIME))
                .row("wait for the answer or time-out, p50", waits(result, 50))
                .row("wait for the answer or time-out, p99", waits(result, 99))
                .row("timed out", counts(result, LATE))
                .row("failed otherwise", counts(result, FAILED))
                .row("refused", counts(result, REFUSED));
        for (String code : codes(result)) {
            table.row("  " + code, cells(phase -> whole(outcomes(result, phase).refusedWith(code))));
        }
        return table.row("retry-after of refusals, p50", cells(phase -> retryAfter(outcomes(result, phase))))
                .row("in flight, peak", cells(phase -> whole(peak(log, phase, Standing::inFlight))))
                .row(
                        "in flight, at the end",
                        cells(phase -> whole(last(log, phase).inFlight())))
                .row("waiting, peak", cells(phase -> whole(peak(log, phase, Standing::waiting))))
                .row(
                        "waiting, at the end",
                        cells(phase -> whole(last(log, phase).waiting())))
                .row("time to drain below the new cap", "-", orDash(log.drain().map(Drain::took)), "-")
                .row("  admitted meanwhile", "-", whole(log.admittedWhileDraining()), "-")
                .row("time until nobody waited", "-", "-", orDash(log.lineEmptied()))
                .row("  admitted out of turn, in the whole run", "-", "-", whole(log.admittedOutOfTurn()))
                .row("the bulkhead's p99 at the end", cells(phase -> p99(latency(result, phase))))
                .row("  within its target of " + millis(plan.target()), cells(phase -> within(latency(result, phase))));
    }

    /** Counts the events of the log. */
    String events(RemoteLog log) {
        Table table = new Table("before", "lowered", "after", "closing");
        for (BulkheadEventCode code : BulkheadEventCode.values()) {
            table.row(
                    code.name(),
                    Phase.ALL.stream()
                            .map(phase -> whole(log.count(phase, code)))
                            .toArray(String[]::new));
        }
        return table.render();
    }

    /** Reports the drain at the end. */
    String closing(Closing closing) {
        return String.format(
                Locale.ROOT,
                "The drain at the end began with %s in flight and took %s; left: %s in flight, %s waiting.",
                whole(closing.inFlight()),
                millis(closing.took()),
                whole(closing.left().inFlight()),
                whole(closing.left().waiting()));
    }

    String finding(Result result) {
        RemoteLog log = result.log();
        Optional<Drain> drain = log.drain();
        Optional<Duration> emptied = log.lineEmptied();
        if (drain.isEmpty() || emptied.isEmpty() || !isShown(result)) {
            return """
                    This run does not show what the bulkhead is for: lowering the cap did not drain it, fill the
                    line and refuse calls, or raising the cap did not undo that, or a call from before was lost.
                    Something else may keep this machine busy; try again when it is idle.""";
        }
        return String.format(
                Locale.ROOT,
                """
                The cap fell from %d to %d with %s calls in flight. None was stopped: every call from before was
                answered. Nobody was admitted for %s, until fewer than %d were left. Of the calls due while
                the cap was low, %s were refused, each with a code and a time to wait. When it was raised, %s
                waited; the line moved in order and was empty after %s. The bulkhead's p99 was %s
                before, %s while the cap was low and %s after; its target is %s.""",
                plan.cap(),
                plan.lowered(),
                whole(drain.get().inFlight()),
                millis(drain.get().took()),
                plan.lowered(),
                whole(outcomes(result, LOWERED).count(REFUSED)),
                whole(last(log, LOWERED).waiting()),
                millis(emptied.get()),
                p99(latency(result, BEFORE)),
                p99(latency(result, LOWERED)),
                p99(latency(result, AFTER)),
                millis(plan.target()));
    }

    /** Whether the statement of the finding holds in this run, apart from its two times. */
    private boolean isShown(Result result) {
        RemoteLog log = result.log();
        Outcomes lowered = outcomes(result, LOWERED);
        boolean noneStopped =
                outcomes(result, BEFORE).count(IN_TIME) == plan.arrivals().count();
        boolean inOrder = log.admittedWhileDraining() == 0 && log.admittedOutOfTurn() == 0;
        boolean refused = lowered.count(REFUSED) > 0 && lowered.withRetryAfter() == lowered.count(REFUSED);
        return noneStopped && inOrder && refused && last(log, LOWERED).waiting() > 0;
    }

    private static String[] cells(Function<Phase, String> cell) {
        return Phase.SENT.stream().map(cell).toArray(String[]::new);
    }

    private static String[] counts(Result result, Outcomes.Kind kind) {
        return cells(phase -> whole(outcomes(result, phase).count(kind)));
    }

    private static String[] waits(Result result, double percentile) {
        return cells(phase -> waited(outcomes(result, phase), percentile));
    }

    private static String waited(Outcomes outcomes, double percentile) {
        return outcomes.count(IN_TIME) + outcomes.count(LATE) == 0 ? "-" : millis(outcomes.waitAt(percentile));
    }

    private static Set<String> codes(Result result) {
        Set<String> codes = new TreeSet<>();
        result.outcomes().forEach(outcomes -> codes.addAll(outcomes.codes()));
        return codes;
    }

    private static String retryAfter(Outcomes outcomes) {
        return outcomes.withRetryAfter() == 0 ? "-" : millis(outcomes.retryAfterAt(50));
    }

    private static int peak(RemoteLog log, Phase phase, ToIntFunction<Standing> number) {
        return log.during(phase).stream().mapToInt(number).max().orElse(0);
    }

    private static Standing last(RemoteLog log, Phase phase) {
        List<Standing> standings = log.during(phase);
        return standings.get(standings.size() - 1);
    }

    private static Outcomes outcomes(Result result, Phase phase) {
        return result.outcomes().get(Phase.ALL.indexOf(phase));
    }

    private static Latency latency(Result result, Phase phase) {
        return result.latencies().get(Phase.ALL.indexOf(phase));
    }

    private static String p99(Latency latency) {
        return latency.p99Ms().isEmpty()
                ? "-"
                : millis(Duration.ofMillis(latency.p99Ms().getAsLong()));
    }

    private static String within(Latency latency) {
        return latency.withinTarget() ? "yes" : "no";
    }

    private static String orDash(Optional<Duration> duration) {
        return duration.map(Numbers::millis).orElse("-");
    }
}
