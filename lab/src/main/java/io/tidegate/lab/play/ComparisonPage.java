package io.tidegate.lab.play;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A comparison as one page without scripts and other files. */
record ComparisonPage(LoadScript script, Map<Contender, CallHistory> histories) {
    /** The warning on the page of a run that cannot be compared. */
    static final String NOT_CALM =
            "This run compares nothing: not even the calm load at its start was answered. Something"
                    + " else keeps this machine busy; try again when it is idle.";

    private static final double CALM = 0.9;
    private static final int WIDTH = 560;
    private static final int HEIGHT = 200;
    private static final int LEFT = 56;
    private static final int BOTTOM = 34;
    private static final int TOP = 30;
    private static final List<String> LINES = List.of("bare", "peer", "ours");
    private static final List<String> DASHES = List.of("2 3", "7 4", "none");

    private static final String STYLE = """
            :root{color-scheme:light dark;--ink:#1d2733;--soft:#5b6773;--rule:#c9d1d9;--shade:#eef2f6;--paper:#fff;
            --bare:#b3261e;--peer:#8a5a00;--ours:#0b63b5}
            @media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#a5b0bb;--rule:#3b4550;--shade:#1b232c;
            --paper:#0f151b;--bare:#ff8a80;--peer:#e6b450;--ours:#6cb6ff}}
            body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:74rem;
            margin:2rem auto;padding:0 1rem}
            h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}h3{font-size:1rem}
            .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(28rem,100%),1fr));gap:1rem}
            svg{width:100%;height:auto}svg text{font:11px system-ui,sans-serif;fill:var(--soft)}
            svg .head{font-size:13px;font-weight:600;fill:var(--ink)}
            .shade{fill:var(--shade)}.rule{stroke:var(--rule)}
            .line{fill:none;stroke-width:2}.bare{stroke:var(--bare)}.peer{stroke:var(--peer)}.ours{stroke:var(--ours)}
            table{border-collapse:collapse}td,th{padding:.25rem .8rem;border-bottom:1px solid var(--rule);
            text-align:right}th:first-child,td:first-child{text-align:left}
            .wide{overflow-x:auto}svg.sample{width:40px}
            """;

    String html() {
        StringBuilder html = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
                .append("<title>Unprotected, resilience4j, Tidegate</title><style>\n")
                .append(STYLE)
                .append("</style></head><body><main>\n<h1>The same load: unprotected, with resilience4j, with")
                .append(" Tidegate</h1>\n<p>A service on the loopback address works on 4 calls at once. A caller gives")
                .append(" up after 1 s; the service works on regardless. One run each, on one machine, one after the")
                .append(" other. Calls count in the second in which they were made. Memory is what the whole process")
                .append(" allocated, service and callers included.</p>\n");
        if (!isCalm()) {
            html.append("<p><strong>").append(NOT_CALM).append("</strong></p>\n");
        }
        html.append(legend());
        html.append("<div class=\"charts\">\n")
                .append(chart("Answered in time, calls a second", CallHistory.Second::goodput))
                .append(chart("Refused, calls a second", CallHistory.Second::refused))
                .append(chart("Wait for anything but a refusal, p99 in ms", ComparisonPage::p99IfAny))
                .append(chart("Memory allocated, MB a second", second -> second.allocated() / 1e6))
                .append("</div>\n");
        html.append(totals()).append(phases()).append(settings());
        return html.append("</main></body></html>\n").toString();
    }

    /** Whether each contender answered nearly all calls of the first phase, in which the load is light. */
    boolean isCalm() {
        LoadScript.Phase first = script.phases().get(0);
        return histories.values().stream()
                .map(history -> history.seconds().subList(0, first.seconds()))
                .allMatch(seconds ->
                        seconds.stream().mapToInt(CallHistory.Second::goodput).sum()
                                >= CALM * first.seconds() * first.offered());
    }

    private String legend() {
        StringBuilder html = new StringBuilder("<p>");
        int line = 0;
        for (Contender contender : histories.keySet()) {
            html.append("<svg viewBox=\"0 0 40 10\" class=\"sample\" aria-hidden=\"true\">")
                    .append(String.format(
                            Locale.ROOT,
                            "<path class=\"line %s\" stroke-dasharray=\"%s\" d=\"M0 5H40\"/></svg> ",
                            LINES.get(line),
                            DASHES.get(line)))
                    .append(escaped(contender.name()))
                    .append(" &nbsp; ");
            line++;
        }
        return html.append("</p>\n").toString();
    }

    private String chart(String title, ToDoubleFunction<CallHistory.Second> figure) {
        List<List<Double>> lines = new ArrayList<>();
        for (CallHistory history : histories.values()) {
            lines.add(history.seconds().stream().map(figure::applyAsDouble).toList());
        }
        double tallest = round(lines.stream()
                .flatMap(List::stream)
                .mapToDouble(Double::doubleValue)
                .filter(value -> value >= 2)
                .max()
                .orElse(2));
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">",
                WIDTH,
                HEIGHT + TOP + BOTTOM,
                escaped(title)));
        svg.append(shades());
        svg.append(
                String.format(Locale.ROOT, "<text class=\"head\" x=\"%d\" y=\"14\">%s</text>", LEFT, escaped(title)));
        for (double share : new double[] {0, 0.5, 1}) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<path class=\"rule\" d=\"M%d %.1fH%d\"/>"
                            + "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%,.0f</text>",
                    LEFT,
                    y(share * tallest, tallest),
                    WIDTH,
                    LEFT - 6,
                    y(share * tallest, tallest) + 4,
                    share * tallest));
        }
        for (int line = 0; line < lines.size(); line++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<path class=\"line %s\" stroke-dasharray=\"%s\" d=\"%s\"/>",
                    LINES.get(line),
                    DASHES.get(line),
                    path(lines.get(line), tallest)));
        }
        return svg.append("</svg>\n").toString();
    }

    private String shades() {
        StringBuilder svg = new StringBuilder();
        int second = 0;
        for (LoadScript.Phase phase : script.phases()) {
            if (!phase.name().equals(script.phases().get(0).name())) {
                svg.append(String.format(
                        Locale.ROOT,
                        "<rect class=\"shade\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>",
                        x(second),
                        TOP,
                        x(second + phase.seconds()) - x(second),
                        HEIGHT));
            }
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"%.1f\" y=\"%d\">%d s %s</text>",
                    x(second) + 2,
                    TOP + HEIGHT + 16,
                    second,
                    escaped(phase.name())));
            second += phase.seconds();
        }
        return svg.toString();
    }

    private double x(double second) {
        return LEFT + second * (WIDTH - LEFT) / script.seconds();
    }

    private static double y(double value, double tallest) {
        return TOP + HEIGHT - value * HEIGHT / tallest;
    }

    /** NaN where all calls were refused: without an answer there is no figure, and no line. */
    private static double p99IfAny(CallHistory.Second second) {
        return second.p99Millis() == 0 ? Double.NaN : second.p99Millis();
    }

    /** Returns the next round number whose half is round, too. */
    private static double round(double value) {
        double step = 2 * Math.pow(10, Math.floor(Math.log10(value / 2)));
        return Math.ceil(value / step) * step;
    }

    private String path(List<Double> line, double tallest) {
        StringBuilder path = new StringBuilder();
        boolean begins = true;
        for (int second = 0; second < line.size(); second++) {
            boolean isThere = !line.get(second).isNaN();
            if (isThere) {
                path.append(String.format(
                        Locale.ROOT,
                        begins ? "M%.1f %.1fh1" : "L%.1f %.1f", // a single second must be visible, too
                        x(second + 0.5),
                        y(line.get(second), tallest)));
            }
            begins = !isThere;
        }
        return path.toString();
    }

    private String totals() {
        StringBuilder html = new StringBuilder("<h2>In all</h2><div class=\"wide\"><table><tr><th></th>");
        histories
                .keySet()
                .forEach(contender ->
                        html.append("<th>").append(escaped(contender.name())).append("</th>"));
        html.append("</tr>");
        html.append(row("calls", total -> script.calls()))
                .append(row("answered in time", CallHistory.Second::goodput))
                .append(row("refused", CallHistory.Second::refused))
                .append(row("given up by the caller or a time limit", CallHistory.Second::late))
                .append(row("failed otherwise", CallHistory.Second::failed))
                .append(row("p99 of the wait for anything but a refusal, ms", CallHistory.Second::p99Millis))
                .append(row("memory allocated, MB", total -> total.allocated() / 1e6));
        return html.append("</table></div>\n").toString();
    }

    private String row(String label, ToDoubleFunction<CallHistory.Second> figure) {
        StringBuilder html =
                new StringBuilder("<tr><td>").append(escaped(label)).append("</td>");
        histories
                .values()
                .forEach(history -> html.append(
                        String.format(Locale.ROOT, "<td>%,.0f</td>", figure.applyAsDouble(history.total()))));
        return html.append("</tr>").toString();
    }

    private String phases() {
        StringBuilder html = new StringBuilder("<h2>The script</h2><ol>");
        for (LoadScript.Phase phase : script.phases()) {
            html.append(String.format(
                    Locale.ROOT,
                    "<li>%s: %d s at %d calls a second; the service takes %d ms for one and fails %d %% of them</li>",
                    escaped(phase.name()),
                    phase.seconds(),
                    phase.offered(),
                    phase.latencyMillis(),
                    phase.failures()));
        }
        return html.append("</ol>\n").toString();
    }

    private String settings() {
        StringBuilder html = new StringBuilder("<h2>How each is set up</h2>");
        for (Contender contender : histories.keySet()) {
            html.append("<h3>").append(escaped(contender.name())).append("</h3><ul>");
            contender
                    .settings()
                    .forEach(line -> html.append("<li>").append(escaped(line)).append("</li>"));
            html.append("</ul>");
        }
        return html.append(String.format(
                        "<p>Java %s on %s, %d processors.</p>%n",
                        escaped(System.getProperty("java.version")),
                        escaped(System.getProperty("os.name")),
                        Runtime.getRuntime().availableProcessors()))
                .toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
