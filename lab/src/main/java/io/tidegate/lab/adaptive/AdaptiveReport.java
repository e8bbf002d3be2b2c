package io.tidegate.lab.adaptive;

import io.tidegate.lab.print.Cells;
import io.tidegate.lab.print.Table;
import java.util.List;
import java.util.Locale;

/** What the adaptive scene prints. */
record AdaptiveReport(ChangingCapacity setting) {
    private static final double LEAST_GOODPUT = 0.9;
    private static final double GREATEST_P99 = 2.5;

    /** A limit, and the service that was behind it. */
    record Run(String name, VirtualService service) {}

    String opening() {
        return String.format(
                Locale.ROOT,
                """
                A service works on %s calls at once, %d ms on each, for %d seconds each time. Callers offer %d times as
                much. All of it is in virtual time: no clock, no network, the same figures every time.
                """,
                setting.servers().stream()
                        .map(String::valueOf)
                        .reduce((a, b) -> a + ", then " + b)
                        .orElse(""),
                setting.work().toMillis(),
                setting.phase(),
                ChangingCapacity.FACTOR);
    }

    String callers(boolean patient) {
        return patient
                ? "Callers who wait for ever"
                : String.format(
                        Locale.ROOT,
                        "Callers who wait for %.0f ms",
                        ChangingCapacity.PATIENCE * setting.work().toMillis());
    }

    /** Returns a chart, second by second: the share of the possible answers that were given, and the p99. */
    String chart(List<Run> runs) {
        int seconds = setting.seconds();
        StringBuilder text = new StringBuilder()
                .append(Cells.row("seconds", seconds, second -> Character.forDigit(second % 10, 10)))
                .append(Cells.row("servers", seconds, second -> bar(setting.serversAt(second), most())));
        text.append("goodput\n");
        for (Run run : runs) {
            text.append(Cells.row(run.name, seconds, second -> bar(run.service.goodput(second, second + 1), 1)));
        }
        text.append(String.format(Locale.ROOT, "p99, up to %.0f times the work%n", 2 * GREATEST_P99));
        for (Run run : runs) {
            text.append(Cells.row(
                    run.name, seconds, second -> bar(run.service.p99(second, second + 1), 2 * GREATEST_P99)));
        }
        return text.toString();
    }

    private int most() {
        return setting.servers().stream().mapToInt(Integer::intValue).max().orElse(1);
    }

    private static char bar(double number, double tallest) {
        return Cells.bar((int) Math.round(100 * Math.min(number, tallest) / tallest), 100);
    }

    /** Returns the figures of the rule AL-5, over the seconds in which it must hold. */
    Table table(List<Run> runs) {
        Table table = new Table(runs.stream().map(Run::name).toArray(String[]::new));
        for (int i = 0; i < setting.servers().size(); i++) {
            int from = i * setting.phase() + setting.settled();
            int to = (i + 1) * setting.phase();
            table.row(
                    setting.servers().get(i) + " servers, seconds " + from + " to " + to,
                    runs.stream().map(run -> figures(run.service, from, to)).toArray(String[]::new));
        }
        return table;
    }

    /** Explains the table. */
    String legend() {
        return String.format(
                Locale.ROOT,
                "goodput as a share of capacity, p99 as a multiple of the work; ! where not >= %.1f and <= %.1f%n",
                LEAST_GOODPUT,
                GREATEST_P99);
    }

    private static String figures(VirtualService service, int from, int to) {
        return String.format(
                Locale.ROOT,
                "%.2f, %.2f %s",
                service.goodput(from, to),
                service.p99(from, to),
                holds(service, from, to) ? " " : "!");
    }

    private static boolean holds(VirtualService service, int from, int to) {
        return service.goodput(from, to) >= LEAST_GOODPUT && service.p99(from, to) <= GREATEST_P99;
    }
}
