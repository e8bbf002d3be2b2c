package io.tidegate.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import io.tidegate.testkit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A registry that refuses series with different tag keys, and is scraped by a server. */
class PrometheusTest {
    private final Registry registry = new Registry();
    private final ManualTicker ticker = new ManualTicker();
    private final PrometheusMeterRegistry meters =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT).throwExceptionOnRegistrationFailure();

    private Map<String, Double> nextScrape() {
        ticker.advance(Duration.ofMillis(TidegateMetrics.SHARED_MILLIS));
        return scrape();
    }

    private Map<String, Double> scrape() {
        return PrometheusText.parse(meters.scrape());
    }

    private void bind() {
        new TidegateMetrics(registry, ticker).bindTo(meters);
    }

    @Test
    @DisplayName("OB-8 Prometheus gets all kinds of measures, times in seconds")
    void scrape_allShapes_areInTheText() {
        registry.add(
                new FakePart("guard", "a \"quoted\" \\ name\n", to -> {
                    to.gauge("in.flight", 3);
                    to.count("ended", 7, "outcome", "success");
                    to.time("run.time", 4, 10_000_000_000L, 2_000_000_000L, 4_000_000_000L, 5_000_000_000L);
                    to.state("state", "OPEN");
                }),
                "the.team",
                "shop");
        bind();

        String labels = "name=a \\\"quoted\\\" \\\\ name\\n, ";
        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate_guard_in_flight{" + labels + "the_team=shop}", 3.0,
                        "tidegate_guard_ended_total{" + labels + "outcome=success, the_team=shop}", 7.0,
                        "tidegate_guard_run_time_seconds_count{" + labels + "the_team=shop}", 4.0,
                        "tidegate_guard_run_time_seconds_sum{" + labels + "the_team=shop}", 10.0,
                        "tidegate_guard_run_time_p50_seconds{" + labels + "the_team=shop}", 2.0,
                        "tidegate_guard_run_time_p99_seconds{" + labels + "the_team=shop}", 4.0,
                        "tidegate_guard_run_time_max_seconds{" + labels + "the_team=shop}", 5.0,
                        "tidegate_guard_state{" + labels + "state=OPEN, the_team=shop}", 1.0));
    }

    @Test
    @DisplayName("OB-8 parts of one kind with different tags are all shown")
    void scrape_differentTags_hasAllParts() {
        registry.add(new FakePart("rate", "a", to -> to.count("refused", 1, "code", "X")), "team", "shop");
        registry.add(new FakePart("rate", "b", to -> to.count("refused", 2)));
        bind();
        registry.add(new FakePart("rate", "c", to -> to.count("refused", 3, "why", "late")), "zone", "west");

        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate_rate_refused_total{code=X, name=a, team=shop, why=none, zone=none}", 1.0,
                        "tidegate_rate_refused_total{code=none, name=b, team=none, why=none, zone=none}", 2.0,
                        "tidegate_rate_refused_total{code=none, name=c, team=none, why=late, zone=west}", 3.0));
    }

    @Test
    @DisplayName("OB-8 a tag key that appears during a scrape leaves that scrape and the next whole")
    void scrape_keyAppearsMeanwhile_isWhole() {
        for (int i = 0; i < 20; i++) {
            registry.add(new FakePart("rate", "calm" + i, to -> to.count("refused", 1)));
        }
        FakePart part = registry.add(new FakePart("rate", "a", to -> to.count("refused", 1)));
        bind();

        for (int i = 0; i < 50; i++) {
            String key = "key" + i;
            part.reports(to -> {
                to.count("refused", 2, key, "x");
                to.gauge("waiting." + key, 1);
            });
            nextScrape();
            assertThat(scrape())
                    .hasSize(22)
                    .allSatisfy((sample, value) -> assertThat(sample).matches(".*waiting.*|.*" + key + "=(x|none).*"));
        }
    }

    @Test
    void scrape_tagsThatAreWrittenAlike_hasOneOfThem() {
        registry.add(
                new FakePart("rate", "a", to -> to.count("refused", 1, "my.code", "own")),
                "my_code",
                "part",
                "my-team",
                "shop",
                "my.team",
                "store");
        bind();

        assertThat(scrape()).isEqualTo(Map.of("tidegate_rate_refused_total{my_code=own, my_team=shop, name=a}", 1.0));
    }

    @Test
    @DisplayName("OB-8 tag keys, names and values of any text leave the scrape sound, and each part shown")
    void scrape_hostileTexts_isWhole() {
        List<String> texts = List.of(
                "__name__",
                "1a",
                "m_1a",
                "_1a",
                "\u00e9",
                "_",
                "m__",
                "le",
                "le_",
                "quantile",
                "Name",
                "name",
                "NAME",
                "code",
                "code.",
                "code_",
                "a b",
                "a-b",
                "a{b=\"c\"}",
                "a\nb",
                "a\\",
                "\u0000",
                "\ud83d",
                "#",
                "none");
        String[] all = new String[texts.size() * 2];
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            registry.add(new FakePart("rate", text, to -> to.count("refused", 1, text, text)), text, text);
            all[2 * i] = text;
            all[2 * i + 1] = text;
        }
        registry.add(new FakePart("rate", "all", to -> to.count("refused", 1, all)), all);
        bind();

        assertThat(scrape()).hasSize(texts.size() + 1);
        assertThat(nextScrape()).hasSize(texts.size() + 1);
    }

    @Test
    @DisplayName("OB-8 series that come and go do so in the text")
    void scrape_seriesComeAndGo_areShownFromTheNextOn() {
        FakePart part = registry.add(new FakePart("group", "tenants", to -> to.gauge("waiting", 1, "group", "a")));
        bind();
        assertThat(scrape()).isEqualTo(Map.of("tidegate_group_waiting{group=a, name=tenants}", 1.0));

        part.reports(to -> to.gauge("waiting", 2, "group", "b"));
        nextScrape();

        assertThat(scrape()).isEqualTo(Map.of("tidegate_group_waiting{group=b, name=tenants}", 2.0));
    }

    @Test
    void scrape_countBelowZeroOrUnreadable_isWhole() {
        FakePart part = registry.add(new FakePart("rate", "a", to -> {
            to.count("refused", -1);
            to.time("wait.time", -1, -1, -1, -1, -1);
        }));
        bind();
        assertThat(scrape()).containsEntry("tidegate_rate_refused_total{name=a}", 0.0);

        part.reports(to -> {
            throw new IllegalStateException();
        });

        assertThat(nextScrape())
                .containsEntry("tidegate_rate_refused_total{name=a}", 0.0)
                .containsEntry("tidegate_rate_wait_time_p99_seconds{name=a}", Double.NaN);
    }

    @Test
    @DisplayName("OB-8 real parts are in the text, and gone with the part")
    void scrape_realParts_areShownUntilRemoved() throws Exception {
        AsyncBulkhead bulkhead =
                registry.add(AsyncBulkhead.builder(5).name("prices").build());
        Guard guard = registry.add(Guard.standard("prices"));
        bind();

        guard.call(() -> "price");
        assertThat(nextScrape())
                .containsEntry("tidegate_bulkhead_limit{name=prices}", 5.0)
                .containsEntry("tidegate_guard_ended_total{name=prices, outcome=success}", 1.0);

        registry.remove(bulkhead);
        registry.remove(guard);
        assertThat(meters.scrape()).isEmpty();
    }
}
