package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.micrometer.TidegateMetrics;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Compares what is made from the table of measures with the names that Prometheus gets. */
class DashboardTest {
    private static final String RECORDING = "docs/pictures/dashboard-lab.tsv";
    private static final Pattern ASKED = Pattern.compile("(tidegate_\\w+)\\{name=~");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(tidegate_\\w+)[{ ]");

    private static Set<String> found(Pattern pattern, String text) {
        Set<String> found = new TreeSet<>();
        pattern.matcher(text).results().forEach(match -> found.add(match.group(1)));
        return found;
    }

    private static String scrape(Registry registry) {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (TidegateMetrics metrics = new TidegateMetrics(registry)) {
            metrics.bindTo(meters);
            return meters.scrape();
        }
    }

    @Test
    @DisplayName("OB-9 the dashboard is the one made from the table")
    void file_isMadeFromTheTable() throws IOException {
        GeneratedText.file(
                "micrometer/src/main/resources/META-INF/tidegate/dashboard.json", Dashboard.of(Measure.table()));
    }

    @Test
    @DisplayName("OB-9 the dashboard asks for everything that Prometheus gets, and for nothing else")
    void dashboard_asksForWhatIsReported() {
        try (EveryPart parts = new EveryPart()) {
            assertThat(found(ASKED, Dashboard.of(Measure.table())))
                    .isNotEmpty()
                    .isEqualTo(found(SAMPLE, scrape(parts.registry)));
        }
    }

    @Test
    @DisplayName("OB-9 the picture shows what the dashboard's queries find in the recording")
    void picture_isDrawnFromTheDashboard() throws IOException {
        // Made from the dashboard's text, not from its file, so that one run writes both.
        String picture =
                DashboardPicture.of(Dashboard.of(Measure.table()), Recording.of(GeneratedText.read(RECORDING)));

        GeneratedText.file("docs/pictures/dashboard.svg", picture);
    }

    @Test
    @DisplayName("OB-9 the dashboard asks for all that was recorded")
    void recording_isAskedFor() throws IOException {
        assertThat(found(ASKED, Dashboard.of(Measure.table())))
                .containsAll(found(SAMPLE, GeneratedText.read(RECORDING)));
    }

    @Test
    @DisplayName("OB-9 so it does for each type of measure")
    void dashboard_everyType_asksForWhatIsReported() {
        Registry registry = new Registry();
        registry.add(new Part() {
            @Override
            public String name() {
                return "a";
            }

            @Override
            public String kind() {
                return "kind";
            }

            @Override
            public void read(Reading to) {
                to.gauge("the.gauge", 1, "tag", "x");
                to.count("the.count", 1);
                to.time("the.time", 1, 1, 1, 1, 1);
                to.state("the.state", "x");
            }
        });
        List<Measure> table = List.of(
                new Measure("kind", "the.gauge", "gauge", "calls", Set.of("tag"), "it"),
                new Measure("kind", "the.count", "count", "calls", Set.of(), "it"),
                new Measure("kind", "the.time", "time", "", Set.of(), "it"),
                new Measure("kind", "the.state", "state", "", Set.of(), "it"));

        assertThat(found(ASKED, Dashboard.of(table))).isEqualTo(found(SAMPLE, scrape(registry)));
    }

    @Test
    @DisplayName("OB-8 the guide shows Prometheus' text as it comes out")
    void guide_hasTheText() throws Exception {
        Registry registry = new Registry();
        AsyncBulkhead bulkhead =
                registry.add(AsyncBulkhead.builder(1).name("prices").build(), "team", "shop");
        CircuitBreaker breaker = registry.add(CircuitBreaker.of("prices"), "team", "shop");
        CompletableFuture<String> pending = new CompletableFuture<>();
        bulkhead.submit(() -> pending);
        bulkhead.submit(() -> pending);
        breaker.execute(() -> "price");

        String text = scrape(registry)
                .replaceAll("(?m)^# HELP .*\\n", "")
                // Replaces durations, which differ in each run.
                .replaceAll("(?m)^(\\w+_seconds.*) \\S+$", "$1 …");
        GeneratedText.block("docs/guide/metrics.md", "```text", text);
    }
}
