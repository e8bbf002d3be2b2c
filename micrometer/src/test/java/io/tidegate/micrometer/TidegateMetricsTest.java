package io.tidegate.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tidegate.Registry;
import io.tidegate.testkit.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every meter registry gets. */
class TidegateMetricsTest {
    private final Registry registry = new Registry();
    private final ManualTicker ticker = new ManualTicker();
    private final TidegateMetrics metrics = new TidegateMetrics(registry, ticker);
    private final MeterRegistry meters = new SimpleMeterRegistry();

    private FakePart add(FakePart part, String... tags) {
        return registry.add(part, tags);
    }

    private void nextScrape() {
        ticker.advance(Duration.ofMillis(TidegateMetrics.SHARED_MILLIS));
    }

    /** Returns each meter as its name and tags, with its first number. */
    private Map<String, Double> scrape() {
        return scrape(meters);
    }

    private static Map<String, Double> scrape(MeterRegistry of) {
        Map<String, Double> values = new TreeMap<>();
        for (Meter meter : of.getMeters()) {
            Map<String, String> tags = new TreeMap<>();
            meter.getId().getTags().forEach(tag -> tags.put(tag.getKey(), tag.getValue()));
            values.put(
                    meter.getId().getName() + tags,
                    meter.measure().iterator().next().getValue());
        }
        return values;
    }

    private Search find(String name) {
        return meters.find(name);
    }

    @Test
    @DisplayName("OB-8 a gauge, a count and a state of a part are meters with its name, its tags and their own")
    void bindTo_partThere_hasItsMeters() {
        add(
                new FakePart("bulkhead", "prices", to -> {
                    to.gauge("in.flight", 3);
                    to.count("refused", 7, "code", "AB_ERR_FULL");
                    to.state("state", "OPEN");
                }),
                "team",
                "shop");

        metrics.bindTo(meters);

        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate.bulkhead.in.flight{name=prices, team=shop}", 3.0,
                        "tidegate.bulkhead.refused{code=AB_ERR_FULL, name=prices, team=shop}", 7.0,
                        "tidegate.bulkhead.state{name=prices, state=OPEN, team=shop}", 1.0));
        assertThat(find("tidegate.bulkhead.refused").functionCounter()).isNotNull();
    }

    @Test
    @DisplayName("OB-8 a time is a timer of count and total, and gauges of p50, p99 and maximum")
    void time_isTimerAndGauges() {
        add(new FakePart("guard", "prices", to -> to.time("run.time", 4, 10_000_000, 2_000_000, 4_000_000, 5_000_000)));

        metrics.bindTo(meters);

        assertThat(find("tidegate.guard.run.time").functionTimer()).satisfies(timer -> {
            assertThat(timer.count()).isEqualTo(4);
            assertThat(timer.totalTime(TimeUnit.MILLISECONDS)).isEqualTo(10);
        });
        assertThat(find("tidegate.guard.run.time.p50").timeGauge().value(TimeUnit.MICROSECONDS))
                .isEqualTo(2_000);
        assertThat(find("tidegate.guard.run.time.p99").timeGauge().value(TimeUnit.MICROSECONDS))
                .isEqualTo(4_000);
        assertThat(find("tidegate.guard.run.time.max").timeGauge().value(TimeUnit.MICROSECONDS))
                .isEqualTo(5_000);
    }

    @Test
    @DisplayName("OB-8 a part that is added later has meters, and loses them when it is removed")
    void registry_change_isFollowed() {
        FakePart first = add(new FakePart("rate", "first", to -> to.gauge("waiting", 1)));
        metrics.bindTo(meters);
        FakePart second = add(new FakePart("rate", "second", to -> to.gauge("waiting", 2)));

        assertThat(scrape())
                .isEqualTo(Map.of("tidegate.rate.waiting{name=first}", 1.0, "tidegate.rate.waiting{name=second}", 2.0));

        registry.remove(first);
        assertThat(scrape()).isEqualTo(Map.of("tidegate.rate.waiting{name=second}", 2.0));

        registry.remove(second);
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    @DisplayName("OB-8 a part that comes or goes causes no reading of the others")
    void registry_change_readsOnlyTheNewPart() {
        metrics.bindTo(meters);
        List<FakePart> parts = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            parts.add(add(new FakePart("rate", "part" + i, to -> to.gauge("waiting", 1)), "team", "shop"));
            nextScrape();
        }
        parts.subList(0, 25).forEach(registry::remove);

        assertThat(meters.getMeters()).hasSize(25);
        assertThat(parts).allSatisfy(part -> assertThat(part.reads).hasValue(1));
    }

    @Test
    @DisplayName("OB-8 a part that takes another's place has meters of its own")
    void registry_samePlaceOtherPart_readsTheOther() {
        FakePart first = add(new FakePart("rate", "calls", to -> to.count("admitted", 10)));
        metrics.bindTo(meters);

        registry.remove(first);
        add(new FakePart("rate", "calls", to -> to.count("admitted", 1)), "team", "shop");

        assertThat(scrape()).isEqualTo(Map.of("tidegate.rate.admitted{name=calls, team=shop}", 1.0));
    }

    @Test
    @DisplayName("OB-8 one reading of a part serves one scrape, of all meter registries")
    void scrape_readsEachPartOnce() {
        MeterRegistry others = new SimpleMeterRegistry();
        FakePart part = add(new FakePart("guard", "prices", to -> {
            for (int i = 0; i < 50; i++) {
                to.gauge("measure." + i, 1);
                to.time("time." + i, 1, 1, 1, 1, 1);
            }
        }));
        metrics.bindTo(meters);
        metrics.bindTo(others);
        assertThat(part.reads).hasValue(1);

        nextScrape();
        assertThat(scrape()).hasSize(50 + 4 * 50).isEqualTo(scrape(others));
        assertThat(part.reads).hasValue(2);

        nextScrape();
        scrape();
        assertThat(part.reads).hasValue(3);
    }

    @Test
    @DisplayName("OB-8 all numbers of a scrape are of one instant")
    void scrape_partChangesMeanwhile_showsOneInstant() {
        AtomicReference<Integer> value = new AtomicReference<>(0);
        add(new FakePart("guard", "prices", to -> {
            int now = value.updateAndGet(old -> old + 1);
            for (int i = 0; i < 20; i++) {
                to.gauge("measure." + i, now);
            }
        }));
        metrics.bindTo(meters);

        for (int round = 2; round < 10; round++) {
            nextScrape();
            assertThat(scrape().values()).hasSize(20).containsOnly((double) round);
        }
    }

    @Test
    void read_tickerWrapsOrGoesBack_isSharedAndReadAgain() {
        FakePart part = add(new FakePart("rate", "calls", to -> to.gauge("waiting", 1)));
        ticker.set(Long.MAX_VALUE);
        metrics.bindTo(meters);

        ticker.advance(Duration.ofMillis(1));
        scrape();
        assertThat(part.reads).hasValue(1);

        ticker.advance(Duration.ofMillis(-2));
        scrape();
        assertThat(part.reads).hasValue(2);
    }

    @Test
    @DisplayName("OB-8 series come and go with the readings")
    void series_comeAndGo() {
        FakePart part = add(new FakePart("group", "tenants", to -> {
            to.gauge("groups", 100);
            to.gauge("group.waiting", 5, "group", "a");
        }));
        metrics.bindTo(meters);

        for (int i = 0; i < 1_000; i++) {
            String group = "g" + i;
            part.reports(to -> {
                to.gauge("groups", 100);
                to.gauge("group.waiting", 7, "group", group);
            });
            nextScrape();
            scrape();
            assertThat(scrape())
                    .isEqualTo(Map.of(
                            "tidegate.group.groups{name=tenants}",
                            100.0,
                            "tidegate.group.group.waiting{group=" + group + ", name=tenants}",
                            7.0));
        }
    }

    @Test
    @DisplayName("OB-8 each state that was seen has a gauge: 1 for the present one")
    void state_changes_isReportedForEachSeen() {
        FakePart part = add(new FakePart("breaker", "prices", to -> to.state("state", "CLOSED")));
        metrics.bindTo(meters);

        part.reports(to -> to.state("state", "OPEN"));
        nextScrape();
        scrape();
        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate.breaker.state{name=prices, state=CLOSED}", 0.0,
                        "tidegate.breaker.state{name=prices, state=OPEN}", 1.0));

        part.reports(to -> to.state("state", "CLOSED"));
        nextScrape();
        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate.breaker.state{name=prices, state=CLOSED}", 1.0,
                        "tidegate.breaker.state{name=prices, state=OPEN}", 0.0));
    }

    @Test
    void state_everAnotherOne_staysBounded() {
        FakePart part = add(new FakePart("breaker", "prices", to -> to.state("state", "CLOSED")));
        metrics.bindTo(meters);

        for (int i = 0; i < 1_000; i++) {
            String state = "state" + i;
            part.reports(to -> to.state("state", state));
            nextScrape();
            scrape();
        }

        assertThat(scrape())
                .hasSize(Snapshot.STATES_KEPT)
                .containsEntry("tidegate.breaker.state{name=prices, state=state999}", 1.0);
    }

    @Test
    @DisplayName("OB-8 all series of a name have the same tag keys")
    void tags_differ_areFilledUp() {
        add(new FakePart("rate", "a", to -> to.count("refused", 1, "code", "X")), "team", "shop");
        metrics.bindTo(meters);
        add(
                new FakePart("rate", "b", to -> {
                    to.count("refused", 2);
                    to.count("refused", 3, "why", "late");
                }),
                "zone",
                "west");

        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate.rate.refused{code=X, name=a, team=shop, why=none, zone=none}", 1.0,
                        "tidegate.rate.refused{code=none, name=b, team=none, why=none, zone=west}", 2.0,
                        "tidegate.rate.refused{code=none, name=b, team=none, why=late, zone=west}", 3.0));
    }

    @Test
    @DisplayName("OB-8 at no moment do two series of a name have different tag keys, which a registry may refuse")
    void tags_keysAppearLater_areNeverMixed() {
        List<String> mixed = new ArrayList<>();
        meters.config()
                .onMeterAdded(added -> meters.getMeters().stream()
                        .filter(there ->
                                there.getId().getName().equals(added.getId().getName()))
                        .filter(there -> !keys(there).equals(keys(added)))
                        .forEach(there -> mixed.add(there.getId() + " and " + added.getId())));
        metrics.bindTo(meters);
        List<FakePart> parts = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            parts.add(add(new FakePart("rate", "part" + i, to -> to.count("refused", 1)), "key" + i % 4, "x"));
        }
        for (FakePart part : parts) {
            part.reports(to -> {
                to.count("refused", 1);
                to.count("refused", 1, part.name(), "x");
            });
            nextScrape();
            scrape();
        }

        assertThat(mixed).isEmpty();
        assertThat(meters.getMeters()).hasSize(20);
        assertThat(keys(meters.getMeters().get(0))).hasSize(15);
    }

    private static List<String> keys(Meter meter) {
        return meter.getId().getTags().stream().map(Tag::getKey).toList();
    }

    @Test
    void tags_ofOtherKinds_areNotConcerned() {
        add(new FakePart("rate", "a", to -> to.count("refused", 1)), "team", "shop");
        add(new FakePart("guard", "a", to -> to.count("refused", 2)), "zone", "west");
        metrics.bindTo(meters);

        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate.rate.refused{name=a, team=shop}", 1.0,
                        "tidegate.guard.refused{name=a, zone=west}", 2.0));
    }

    @Test
    void tags_sameKeyTwice_theMeasuresOwnCounts() {
        add(
                new FakePart("rate", "a", to -> {
                    to.count("refused", 1, "code", "X", "name", "hidden");
                    to.count("refused", 2);
                }),
                "code",
                "Y",
                "name",
                "hidden");
        metrics.bindTo(meters);

        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate.rate.refused{code=X, name=a}", 1.0, "tidegate.rate.refused{code=Y, name=a}", 2.0));
    }

    @Test
    @DisplayName("OB-8 a part that cannot be read has gauges without a value and counts that stand still")
    void read_throws_othersAreReported() {
        FakePart broken = add(new FakePart("rate", "broken", to -> {
            to.gauge("waiting", 1);
            to.count("admitted", 5);
            to.time("wait.time", 2, 3, 1, 2, 2);
        }));
        FakePart well = add(new FakePart("rate", "well", to -> to.gauge("waiting", 1)));
        metrics.bindTo(meters);

        broken.reports(to -> {
            to.gauge("waiting", 2);
            throw new IllegalStateException("not now");
        });
        well.reports(to -> to.gauge("waiting", 2));
        nextScrape();
        assertThat(scrape())
                .containsEntry("tidegate.rate.waiting{name=broken}", Double.NaN)
                .containsEntry("tidegate.rate.admitted{name=broken}", 5.0)
                .containsEntry("tidegate.rate.wait.time{name=broken}", 2.0)
                .containsEntry("tidegate.rate.wait.time.max{name=broken}", Double.NaN)
                .containsEntry("tidegate.rate.waiting{name=well}", 2.0);

        broken.reports(to -> {
            to.gauge("waiting", 3);
            to.count("admitted", 6);
        });
        nextScrape();
        scrape();
        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate.rate.waiting{name=broken}", 3.0,
                        "tidegate.rate.admitted{name=broken}", 6.0,
                        "tidegate.rate.waiting{name=well}", 2.0));
    }

    @Test
    void read_throwsAtFirst_isTriedAgainWithAnother() {
        FakePart broken = add(new FakePart("rate", "broken", to -> {
            throw new AssertionError("not yet");
        }));
        add(new FakePart("rate", "well", to -> to.gauge("waiting", 1)));
        metrics.bindTo(meters);
        assertThat(scrape()).isEqualTo(Map.of("tidegate.rate.waiting{name=well}", 1.0));

        broken.reports(to -> to.gauge("waiting", 2));
        nextScrape();
        scrape();

        assertThat(scrape()).containsEntry("tidegate.rate.waiting{name=broken}", 2.0);
    }

    @Test
    void read_tagsNotInPairs_isAFailure() {
        FakePart part = add(new FakePart("rate", "calls", to -> to.gauge("waiting", 1)));
        metrics.bindTo(meters);

        part.reports(to -> to.gauge("waiting", 1, "code"));
        nextScrape();

        assertThat(scrape()).isEqualTo(Map.of("tidegate.rate.waiting{name=calls}", Double.NaN));
    }

    @Test
    void close_removesAllMetersAndListensNoMore() {
        add(new FakePart("rate", "calls", to -> to.gauge("waiting", 1)));
        meters.counter("other").increment();
        metrics.bindTo(meters);

        metrics.close();
        metrics.close();
        FakePart late = add(new FakePart("rate", "late", to -> to.gauge("waiting", 1)));

        assertThat(meters.getMeters())
                .singleElement()
                .satisfies(meter -> assertThat(meter.getId().getName()).isEqualTo("other"));
        assertThat(late.reads).hasValue(0);
        assertThatThrownBy(() -> metrics.bindTo(meters)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void bindTo_twice_changesNothing() {
        FakePart part = add(new FakePart("rate", "calls", to -> to.gauge("waiting", 1)));
        metrics.bindTo(meters);
        List<Meter> before = meters.getMeters();
        metrics.bindTo(meters);

        assertThat(meters.getMeters()).isEqualTo(before);
        registry.remove(part);
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void bindTo_composite_worksForChildrenOfAnyTime() {
        CompositeMeterRegistry composite = new CompositeMeterRegistry();
        FakePart part = add(new FakePart("rate", "calls", to -> {
            to.gauge("waiting", 1);
            to.count("admitted", 2);
        }));
        metrics.bindTo(composite);
        composite.add(meters);

        assertThat(scrape())
                .isEqualTo(Map.of("tidegate.rate.waiting{name=calls}", 1.0, "tidegate.rate.admitted{name=calls}", 2.0));
        registry.remove(part);
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void meterFilter_renamesAndDenies_isObeyedAndCleanedUp() {
        meters.config()
                .meterFilter(MeterFilter.denyNameStartsWith("tidegate.rate.waiting"))
                .meterFilter(MeterFilter.commonTags(List.of(Tag.of("app", "shop"))));
        FakePart part = add(new FakePart("rate", "calls", to -> {
            to.gauge("waiting", 1);
            to.count("admitted", 2);
        }));
        metrics.bindTo(meters);

        assertThat(scrape()).isEqualTo(Map.of("tidegate.rate.admitted{app=shop, name=calls}", 2.0));
        registry.remove(part);
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    void meterRegistry_refusesAMeter_hasTheOthers() {
        meters.gauge("tidegate.rate.admitted", List.of(Tag.of("name", "calls")), 1);
        add(new FakePart("rate", "calls", to -> {
            to.count("admitted", 2);
            to.gauge("waiting", 3);
        }));

        metrics.bindTo(meters);

        assertThat(scrape()).containsEntry("tidegate.rate.waiting{name=calls}", 3.0);
    }

    @Test
    void meterRegistry_asksWhileMetersAreAdded_isAnswered() {
        meters.config().onMeterAdded(meter -> scrape());
        add(new FakePart("rate", "calls", to -> {
            to.gauge("waiting", 1);
            to.count("admitted", 2);
        }));
        ticker.advance(Duration.ofDays(1));

        metrics.bindTo(meters);

        assertThat(scrape()).hasSize(2);
    }

    @Test
    void meterRegistry_closed_isLetGo() {
        add(new FakePart("rate", "calls", to -> to.gauge("waiting", 1)));
        metrics.bindTo(meters);
        meters.close();

        add(new FakePart("rate", "more", to -> to.gauge("waiting", 1)));

        assertThat(scrape()).hasSize(1);
    }

    @Test
    @DisplayName("OB-8 a removed part is kept by nothing, even if a program still has one of its meters")
    void remove_meterIsKept_partIsNot() {
        FakePart part = add(new FakePart("rate", "calls", to -> to.gauge("waiting", 1)));
        FakePart broken = add(new FakePart("rate", "broken", to -> to.gauge("waiting", 1)));
        metrics.bindTo(meters);
        broken.reports(to -> {
            throw new IllegalStateException();
        });
        nextScrape();
        scrape();
        List<Meter> kept = meters.getMeters();
        assertThat(Reachable.from(metrics, kept)).contains(FakePart.class);

        registry.remove(part);
        registry.remove(broken);
        nextScrape();

        assertThat(kept.stream().map(meter -> meter.measure().iterator().next().getValue()))
                .containsExactlyInAnyOrder(1.0, Double.NaN);
        assertThat(Reachable.from(metrics, meters, registry, kept)).doesNotContain(FakePart.class);
    }

    @Test
    void close_keepsNothing() {
        add(new FakePart("rate", "calls", to -> to.gauge("waiting", 1)));
        metrics.bindTo(meters);

        metrics.close();

        assertThat(Reachable.from(meters)).doesNotContain(FakePart.class, TidegateMetrics.class);
        assertThat(Reachable.from(registry)).doesNotContain(TidegateMetrics.class, SimpleMeterRegistry.class);
        assertThat(Reachable.from(metrics)).doesNotContain(SimpleMeterRegistry.class);
    }

    @Test
    @DisplayName("OB-8 meters have values even if the program keeps neither the registry nor the binder")
    void bindTo_nothingKept_isNotCollected() {
        bindAndForget();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }

        assertThat(scrape())
                .isEqualTo(Map.of(
                        "tidegate.rate.admitted{name=calls}", 2.0,
                        "tidegate.rate.wait.time{name=calls}", 1.0,
                        "tidegate.rate.wait.time.max{name=calls}", 6e-9,
                        "tidegate.rate.wait.time.p50{name=calls}", 4e-9,
                        "tidegate.rate.wait.time.p99{name=calls}", 5e-9,
                        "tidegate.rate.waiting{name=calls}", 1.0));
    }

    private void bindAndForget() {
        Registry forgotten = new Registry();
        forgotten.add(new FakePart("rate", "calls", to -> {
            to.gauge("waiting", 1);
            to.count("admitted", 2);
            to.time("wait.time", 1, 3, 4, 5, 6);
        }));
        new TidegateMetrics(forgotten).bindTo(meters);
    }
}
