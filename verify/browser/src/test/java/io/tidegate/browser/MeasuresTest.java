package io.tidegate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Measures that appear, disappear, or are reported twice. */
class MeasuresTest extends PageTest {
    /** Changes the codes of its refusals from time to time. */
    private static final class Moody implements Part {
        private volatile List<String> codes;

        Moody(String... codes) {
            this.codes = List.of(codes);
        }

        @Override
        public String name() {
            return "moody";
        }

        @Override
        public String kind() {
            return "bulkhead";
        }

        @Override
        public void read(Reading to) {
            to.gauge("in.flight", 1);
            codes.forEach(code -> to.count("refused", 5, "code", code));
        }
    }

    /** Returns the labels of the lines in a chart. */
    @SuppressWarnings("unchecked")
    private static List<String> lines(Page page, String chart) {
        return (List<String>) page.evaluate(
                "title => Chart.getChart(document.querySelector("
                        + "`canvas[aria-label^=\"${title},\"]`))?.data.datasets.map(line => line.label) ?? []",
                chart);
    }

    @Test
    @DisplayName("CN-4 a chart has a line for each series that there is, and none for those that are gone")
    void chart_seriesComeAndGo_hasALineForEach() {
        Moody part = new Moody("AB_FIRST", "AB_SECOND");
        Registry registry = new Registry();
        registry.add(part);
        Page page = open(start(registry).url());
        go(page, part);
        awaitEqual(page, () -> lines(page, "Refused"), () -> List.of("AB_FIRST", "AB_SECOND"));

        part.codes = List.of("AB_SECOND");
        awaitEqual(page, () -> lines(page, "Refused"), () -> List.of("AB_SECOND"));
        part.codes = List.of("AB_NEW", "AB_SECOND", "AB_THIRD");
        awaitEqual(page, () -> lines(page, "Refused"), () -> part.codes);
        assertThat((int) page.evaluate("new Set(Chart.getChart(document.querySelector('canvas[aria-label^=Refused]'))"
                        + ".data.datasets.map(line => line.borderColor)).size"))
                .as("colours")
                .isEqualTo(3);
    }

    /** Returns a frame with one part that has these measures. */
    private static String frame(long time, String... measures) {
        String all = String.join(",", measures);
        String frame = """
                {"time": %d, "parts": [{"id": 1, "kind": "bulkhead", "name": "prices", "measures": [%s]}]}""";
        return frame.formatted(time, all);
    }

    private static String gauge(String name, int value) {
        return "{\"measure\": \"%s\", \"type\": \"gauge\", \"value\": %d}".formatted(name, value);
    }

    @Test
    @DisplayName("CN-4 changes of a state that were over before the next frame are on its band, and counted")
    void state_changedInBetween_isOnTheBand() {
        Page page = prepare(new Browser.NewContextOptions().setViewportSize(1280, 900));
        ScriptedStream stream = stream(page);
        long time = 1_763_300_000_000L;
        stream.first("""
                {"time": %d, "parts": [{"id": 1, "kind": "breaker", "name": "prices", "measures": [
                 {"measure": "state", "type": "state", "value": "CLOSED"},
                 {"measure": "generation", "type": "count", "value": 4}]}]}""".formatted(time));
        page.navigate(start(new Registry()).url() + "#/part/breaker/prices");
        live(page);
        stream.send("change", "{\"time\": %d, \"values\": {\"1\": [0, \"OPEN\", 1, 5]}}".formatted(time + 1_000));
        stream.send("change", "{\"time\": %d, \"values\": {\"1\": [1, 7]}}".formatted(time + 6_000));
        stream.send("change", "{\"time\": %d}".formatted(time + 9_000));
        await(
                page,
                () -> page.locator(".story li")
                        .allTextContents()
                        .equals(List.of("CLOSED 1 s", "OPEN 8 s, with 2 short changes")));
        assertThat(page.locator(".band .ticks rect").count()).isEqualTo(1);
    }

    @Test
    @DisplayName("CN-4 a measure of another type than in parts of the library breaks nothing")
    void measure_ofAnotherType_breaksNothing() {
        Page page = prepare(new Browser.NewContextOptions().setViewportSize(1280, 900));
        ScriptedStream stream = stream(page);
        String none = "{\"measure\": \"run\", \"type\": \"gauge\", \"value\": null}";
        stream.first(frame(1_763_300_000_000L, none, gauge("draining", 1)));
        page.navigate(start(new Registry()).url());
        page.locator(".card .inside").waitFor();
        go(page, "#/part/bulkhead/prices");
        awaitEqual(page, () -> shown(page), () -> Map.of("run", "–", "draining", "yes"));
    }

    private static String ended(int value) {
        return "{\"measure\": \"ended\", \"type\": \"count\", \"tags\": {\"outcome\": \"success\"}, \"value\": %d}"
                .formatted(value);
    }

    private static Map<String, String> shown(Page page) {
        Map<String, String> shown = new TreeMap<>();
        rows(page).forEach((key, row) -> shown.put(key, row.get(0)));
        return shown;
    }

    @Test
    @DisplayName("CN-4 a measure that is reported twice is shown twice, each with its own value and past")
    void measure_reportedTwice_isTwo() {
        Page page = prepare(new Browser.NewContextOptions().setViewportSize(1280, 900));
        ScriptedStream stream = stream(page);
        long time = 1_763_300_000_000L;
        stream.first(frame(time, gauge("in.flight", 3), gauge("in.flight", 4), ended(100), ended(5)));
        page.navigate(start(new Registry()).url() + "#/part/bulkhead/prices");
        awaitEqual(
                page,
                () -> shown(page),
                () -> Map.of(
                        "in.flight", "3",
                        "in.flight #2", "4",
                        "ended{outcome=success}", "100",
                        "ended{outcome=success} #2", "5"));

        // The part is sent whole again, because a measure appeared: each line goes on from where it was.
        stream.send(
                "change",
                frame(
                        time + 1_000,
                        gauge("in.flight", 3),
                        gauge("in.flight", 4),
                        ended(100),
                        ended(5),
                        gauge("limit", 9)));
        stream.send("change", "{\"time\": %d, \"values\": {\"1\": [1, 6, 2, 200, 3, 25]}}".formatted(time + 10_000));
        awaitEqual(
                page,
                () -> shown(page),
                () -> Map.of(
                        "in.flight", "3",
                        "in.flight #2", "6",
                        "ended{outcome=success}", "200",
                        "ended{outcome=success} #2", "25",
                        "limit", "9"));
        assertThat(page.locator("[data-measure^=ended] td:nth-child(4)").allTextContents())
                .containsExactly("10/s", "2.0/s");
        assertThat(lines(page, "Ended")).containsExactly("success", "success");

        go(page, "#/");
        page.locator(".card .load b", new Page.LocatorOptions().setHasText("3")).waitFor();
    }
}
