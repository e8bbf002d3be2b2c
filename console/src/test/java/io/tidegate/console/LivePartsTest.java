package io.tidegate.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.Registry;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.guard.Guard;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Readings and frames, without a server and with a clock of the test. */
final class LivePartsTest {
    private static final Duration PATIENCE = Duration.ofHours(1);

    private final Registry registry = new Registry();
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final EventLog log = new EventLog();
    private final LiveParts liveParts = new LiveParts(registry, null, true, log, PATIENCE, clock::get);

    /** A part that reports what a test sets. */
    private static final class FakePart implements Part {
        final String kind;
        final String name;
        Consumer<Reading> reports;
        int reads;

        FakePart(String kind, String name, Consumer<Reading> reports) {
            this.kind = kind;
            this.name = name;
            this.reports = reports;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public String kind() {
            return kind;
        }

        @Override
        public void read(Reading to) {
            reads++;
            reports.accept(to);
        }
    }

    private FakePart part(String name, Consumer<Reading> reports) {
        return registry.add(new FakePart("bulkhead", name, reports));
    }

    private TestViewer everything() {
        TestViewer viewer = new TestViewer();
        viewer.take("parts", liveParts.everything());
        return viewer;
    }

    @Test
    @DisplayName("CN-4 changes upon changes equal everything, whatever parts report, come and go (seeded)")
    void change_anyHistory_equalsEverything() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Registry some = new Registry();
            LiveParts shown = new LiveParts(some, null, false, new EventLog(), PATIENCE, clock::get);
            List<FakePart> parts = new ArrayList<>();
            TestViewer viewer = null;
            for (int step = 0; step < 30; step++) {
                if (random.nextInt(3) == 0) {
                    parts.add(some.add(new FakePart("bulkhead", "part" + step, to -> {})));
                }
                if (random.nextInt(5) == 0 && !parts.isEmpty()) {
                    some.remove(parts.remove(random.nextInt(parts.size())));
                }
                for (FakePart part : parts) {
                    if (random.nextInt(2) == 0) {
                        part.reports = reports(random);
                    }
                }
                shown.read();
                if (random.nextInt(4) == 0) {
                    shown.read(); // as for a single request
                }
                if (viewer == null || random.nextInt(10) == 0) {
                    viewer = new TestViewer();
                    viewer.take("parts", shown.everythingBeforeNextChange());
                }
                if (random.nextInt(3) > 0) {
                    viewer.take("change", shown.change());
                    TestViewer expected = new TestViewer();
                    expected.take("parts", shown.everything());
                    assertThat(viewer.parts).as("seed %s, step %s", seed, step).isEqualTo(expected.parts);
                    assertThat(viewer.events).as("seed %s, step %s", seed, step).isEqualTo(expected.events);
                }
            }
        }
    }

    private static Consumer<Reading> reports(Random random) {
        int bits = random.nextInt(64);
        long value = random.nextInt(5);
        return to -> {
            if ((bits & 1) != 0) {
                to.gauge("in.flight", value);
            }
            if ((bits & 2) != 0) {
                to.count("refused", value, "code", "A");
            }
            if ((bits & 4) != 0) {
                to.count("refused", value, "code", "B");
            }
            if ((bits & 8) != 0) {
                to.time("run", value, 2, 3, 4, 5);
            }
            if ((bits & 16) != 0) {
                to.state("state", "S" + value);
            }
            if ((bits & 32) != 0) {
                throw new IllegalStateException("cannot be read now");
            }
        };
    }

    @Test
    @DisplayName("CN-4 a part whose reading throws, or reports no numbers, breaks nothing, and others are shown")
    void read_brokenParts_othersShown() {
        part("throws", to -> {
            to.gauge("before", 1);
            throw new StackOverflowError();
        });
        part("nan", to -> {
            to.gauge("nan", Double.NaN);
            to.gauge("infinite", Double.NEGATIVE_INFINITY);
            to.gauge("huge", 1e300);
            to.gauge("long", Long.MAX_VALUE);
            to.count("count", Long.MIN_VALUE);
        });
        part("odd", to -> {
            to.gauge("\ud800 lone", 1, "\udc00", "x".repeat(100_000));
            to.state("<script>", "\u0000\u2028\ud83d");
            to.gauge("odd tags", 1, "alone");
        });
        part("null", to -> to.gauge("null", 1, (String[]) null));
        part("x".repeat(1_000_000), to -> to.gauge("fine", 1));
        part("endless", to -> {
            for (int i = 0; i < 100_000; i++) {
                to.gauge("measure" + i, i);
            }
        });
        part("fine", to -> to.gauge("fine", 0.5));
        liveParts.read();
        liveParts.change();
        liveParts.read();
        byte[] all = liveParts.everything();
        assertThat(all.length).isLessThan(100_000);
        TestViewer viewer = everything();
        assertThat(viewer.parts).hasSize(7);
        Map<String, Map<String, Object>> byName = new java.util.HashMap<>();
        viewer.parts.values().forEach(part -> byName.put((String) part.get("name"), part));
        assertThat(byName.get("throws")).containsEntry("unread", "java.lang.StackOverflowError");
        assertThat(byName.get("null")).containsEntry("unread", "java.lang.NullPointerException");
        assertThat(TestViewer.list(byName.get("endless"), "measures")).hasSize(PartReading.MOST_SERIES);
        assertThat(TestViewer.list(byName.get("fine"), "measures"))
                .containsExactly(Map.of("measure", "fine", "type", "gauge", "value", 0.5));
        assertThat(TestViewer.list(byName.get("nan"), "measures"))
                .contains(Map.of("measure", "nan", "type", "gauge", "value", "null"))
                .contains(Map.of("measure", "infinite", "type", "gauge", "value", "null"))
                .contains(Map.of("measure", "count", "type", "count", "value", Long.MIN_VALUE));
        assertThat(viewer.events)
                .filteredOn(event -> "unread".equals(event.get("type")))
                .hasSize(2);
    }

    @Test
    @DisplayName("CN-4 a part that no longer has a name, and a guard that has no layers, break nothing")
    void read_nameOrLayersThrow_othersShown() {
        boolean[] broken = {false};
        Guard guard =
                Guard.builder("inventory").timeLimit(Duration.ofSeconds(1)).build();
        registry.add((Guard) Proxy.newProxyInstance(
                Guard.class.getClassLoader(), new Class<?>[] {Guard.class}, (proxy, method, given) -> {
                    if (broken[0]) {
                        throw new IllegalStateException("scope has ended");
                    }
                    return method.invoke(guard, given);
                }));
        FakePart fine = part("prices", to -> to.gauge("in.flight", 1));
        liveParts.read();
        broken[0] = true;
        fine.reports = to -> to.gauge("in.flight", 2);
        liveParts.read();
        assertThat(everything().shown())
                .map(TestViewer::map)
                .satisfiesExactly(
                        prices -> assertThat(prices)
                                .containsEntry(
                                        "measures",
                                        List.of(Map.of("measure", "in.flight", "type", "gauge", "value", 2L))),
                        inventory -> assertThat(inventory)
                                .containsEntry("unread", "java.lang.IllegalStateException")
                                .containsEntry("layers", List.of(Map.of("layer", "time-limit", "millis", 1000L))));
    }

    @Test
    @DisplayName("CN-4 events are what two readings differ in: states, refusals by code, limits, long holds")
    void read_differences_events() {
        FakePart part = part("prices", to -> {
            to.state("state", "CLOSED");
            to.gauge("limit", 64);
            to.count("refused", 5, "code", "AB_ERR_FULL");
            to.count("held.long", 0);
        });
        liveParts.read();
        assertThat(everything().events).isEmpty();
        part.reports = to -> {
            to.state("state", "OPEN");
            to.gauge("limit", 32);
            to.count("refused", 17, "code", "AB_ERR_FULL");
            to.count("refused", 1, "code", "NEW");
            to.count("held.long", 2);
        };
        clock.addAndGet(1_000);
        liveParts.read();
        assertThat(everything().events)
                .extracting(event -> event.get("type") + " " + event.get("code") + " " + event.get("text"))
                .containsExactly(
                        "state OPEN CLOSED → OPEN",
                        "refused AB_ERR_FULL 12 times",
                        "refused NEW once",
                        "held OB_WARN_HELD_LONG 2 times",
                        "limit null 64 → 32");
        assertThat(everything().events)
                .allSatisfy(event -> assertThat(event)
                        .containsEntry("time", 1_001_000L)
                        .containsEntry("kind", "bulkhead")
                        .containsEntry("name", "prices"));
    }

    @Test
    @DisplayName(
            "CN-4 a change that goes on is an event at once and every ten seconds, numbered, and drives out nothing")
    void read_goesOn_reportedOnceInAWhile() {
        AtomicLong refused = new AtomicLong();
        FakePart part = part("prices", to -> {});
        part.reports = to -> {
            to.state("state", refused.get() < 3 ? "CLOSED" : "OPEN");
            to.gauge("limit", 100 + refused.get());
            to.count("refused", refused.get(), "code", "A");
        };
        for (int second = 0; second <= 2_000; second++) {
            liveParts.read();
            clock.addAndGet(1_000);
            if (second < 1_000 || second == 1_900) {
                refused.addAndGet(3);
            }
        }
        List<String> texts = everything().events.stream()
                .filter(event -> !"limit".equals(event.get("type")))
                .map(event -> String.valueOf(event.get("text")))
                .toList();
        assertThat(texts)
                .startsWith("CLOSED → OPEN", "3 times", "30 times in 10 s")
                .endsWith("3 times");
        assertThat(everything().events)
                .filteredOn(event -> "limit".equals(event.get("type")))
                .extracting(event -> event.get("text"))
                .startsWith("100 → 103", "103 → 133")
                .endsWith("3073 → 3100", "3100 → 3103");
        assertThat(texts.stream()
                        .filter(text -> text.contains("times"))
                        .mapToInt(text -> Integer.parseInt(text.split(" ")[0]))
                        .sum())
                .isEqualTo(3_003);
    }

    @Test
    @DisplayName("CN-4 after a pause without viewers, differences are not shown as new")
    void read_afterPause_noEvents() {
        FakePart part = part("prices", to -> to.count("refused", 5, "code", "A"));
        liveParts.read();
        part.reports = to -> to.count("refused", 500, "code", "A");
        clock.addAndGet(LiveParts.FORGOTTEN_MILLIS);
        liveParts.read();
        assertThat(everything().events).isEmpty();
    }

    @Test
    @DisplayName("CN-4 a part that was removed is not kept, even without viewers")
    void look_removed_notKept() {
        AtomicReference<Part> only = new AtomicReference<>(part("prices", to -> {}));
        WeakReference<Part> watched = new WeakReference<>(only.get());
        liveParts.read();
        registry.remove(only.getAndSet(null));
        liveParts.look();
        liveParts.skipChange();
        while (watched.get() != null) {
            System.gc();
            Thread.onSpinWait();
        }
        assertThat(everything().parts).isEmpty();
    }

    @Test
    @DisplayName("CN-4 a guard is shown with its layers, outermost first, and a time limit as it is now")
    void everything_guard_hasLayers() {
        AtomicReference<Duration> limit = new AtomicReference<>(Duration.ofSeconds(2));
        registry.add(Guard.builder("prices")
                .liveTimeLimit(limit::get)
                .bulkhead(AsyncBulkhead.builder(4).name("places").build())
                .build());
        liveParts.read();
        TestViewer viewer = everything();
        liveParts.change();
        assertThat(viewer.parts.get(1L).get("layers"))
                .isEqualTo(List.of(
                        Map.of("layer", "time-limit", "millis", 2_000L),
                        Map.of("layer", "bulkhead", "kind", "bulkhead", "name", "places")));
        limit.set(Duration.ofSeconds(3));
        liveParts.read();
        viewer.take("change", liveParts.change());
        assertThat(TestViewer.list(viewer.parts.get(1L), "layers").get(0))
                .isEqualTo(Map.of("layer", "time-limit", "millis", 3_000L));
    }

    @Test
    @DisplayName("CN-5 a thousand parts, all of them changing and refusing: under 200 KB a second, read once a frame")
    void change_thousandParts_bounded() {
        AtomicLong now = new AtomicLong();
        List<FakePart> parts = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            parts.add(part("part-of-a-service-" + i, to -> busy(to, now.get())));
        }
        liveParts.read();
        liveParts.change();
        long bytes = 0;
        long nanos = 0;
        for (int frame = 0; frame < 20; frame++) {
            now.addAndGet(1_234);
            clock.addAndGet(1_000);
            liveParts.read();
            int length = liveParts.change().length;
            bytes += length;
            nanos += FrameLoop.pause(length);
        }
        assertThat(bytes * 1e9 / nanos).isLessThan(200_000);
        assertThat(nanos / 20).as("a frame every few seconds, at the worst").isLessThan(3_000_000_000L);
        assertThat(parts).allSatisfy(part -> assertThat(part.reads).isEqualTo(21));
        assertThat(everything().events).hasSizeLessThanOrEqualTo(EventLog.KEPT);
    }

    /** Reports as many measures as a bulkhead has, all of which have changed. */
    private static void busy(Reading to, long now) {
        to.gauge("in.flight", now % 97);
        to.gauge("limit", 64 + now % 7);
        to.count("admitted", now * 31);
        to.count("refused", now * 3, "code", "AB_ERR_FULL");
        to.count("ended", now * 29, "outcome", "success");
        to.count("ended", now * 2, "outcome", "failure");
        to.count("ended", now, "outcome", "cancelled");
        to.time("run", now * 31, now * 310_000, 1_000 + now, 9_000 + now, 90_000 + now);
    }

    @Test
    @DisplayName("CN-5 of many events in one reading the important ones are sent, and how many others there were")
    void read_manyEvents_bounded() {
        AtomicLong refused = new AtomicLong();
        AtomicReference<String> state = new AtomicReference<>("CLOSED");
        for (int i = 0; i < 200; i++) {
            part("part" + i, to -> to.count("refused", refused.get(), "code", "A"));
        }
        registry.add(new FakePart("zone", "last", to -> to.state("state", state.get())));
        liveParts.read();
        refused.set(7);
        state.set("OPEN");
        liveParts.read();
        List<Map<String, Object>> events = everything().events;
        assertThat(events).hasSize(LiveParts.MOST_EVENTS + 1);
        assertThat(events.get(0)).containsEntry("code", "OPEN");
        assertThat(events.get(LiveParts.MOST_EVENTS))
                .containsEntry("type", "more")
                .containsEntry("text", "151 more");
    }

    @Test
    @DisplayName("CN-5 a viewer that does not take its frames holds a few of them at most, and gets everything anew")
    void viewer_doesNotRead_holdsLittle() throws InterruptedException {
        AtomicLong wanted = new AtomicLong();
        Viewer viewer = new Viewer(wanted::incrementAndGet, 3_600_000);
        Thread reader = new Thread(() -> {
            try {
                viewer.next();
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
        });
        reader.start();
        while (!viewer.wantsEverything()) {
            Thread.onSpinWait();
        }
        viewer.everything(new byte[] {1});
        reader.join();
        for (int i = 0; i < 1_000; i++) { // the viewer does not get beyond its first frame
            assertThat(viewer.wantsEverything()).isFalse();
            viewer.change(new byte[] {2});
            assertThat(viewer.held()).isLessThanOrEqualTo(Viewer.ROOM);
        }
        assertThat(viewer.held()).isZero();
        Thread again = new Thread(() -> {
            try {
                assertThat(viewer.next()).containsExactly(3);
            } catch (InterruptedException never) {
                throw new AssertionError(never);
            }
        });
        again.start();
        while (!viewer.wantsEverything()) {
            Thread.onSpinWait();
        }
        viewer.everything(new byte[] {3});
        again.join();
        assertThat(wanted).hasValue(2);
    }

    @Test
    @DisplayName("CN-4 a viewer for whom there is nothing new gets a sign that the connection lives")
    void viewer_silence_getsSignOfLife() throws InterruptedException {
        Viewer viewer = new Viewer(() -> {}, 1);
        assertThat(new String(viewer.next(), UTF_8)).isEqualTo("event: alive\ndata: {}\n\n");
        viewer.everything(new byte[] {1});
        assertThat(viewer.next()).containsExactly(1);
        viewer.close();
        assertThat(viewer.next()).isNull();
    }

    @Test
    @DisplayName(
            "CN-4 a part that does not answer is shown as unread with its last values; others are read, and it again")
    void read_partBlocks_othersRead() throws InterruptedException {
        LiveParts hasty = new LiveParts(registry, null, true, log, Duration.ofMillis(1), clock::get);
        CountDownLatch answers = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        AtomicLong value = new AtomicLong(1);
        FakePart blocks = part("blocks", to -> to.gauge("in.flight", value.get()));
        part("fine", to -> to.gauge("in.flight", value.get()));
        while (seen(hasty, "blocks").containsKey("unread")
                || seen(hasty, "fine").containsKey("unread")) {
            hasty.read(); // on a busy machine an empty reading takes a millisecond
        }
        value.set(2);
        blocks.reports = to -> {
            awaitUninterruptibly(answers);
            to.gauge("in.flight", 3);
            answered.countDown();
        };
        int reads = blocks.reads + 1;
        while (blocks.reads < reads) {
            hasty.read();
        }
        while (!value(seen(hasty, "fine")).equals(2L)) {
            hasty.read();
        }
        assertThat(seen(hasty, "blocks")).containsEntry("unread", "no answer in 1 ms");
        assertThat(value(seen(hasty, "blocks"))).isEqualTo(1L);
        assertThat(blocks.reads).as("not asked again meanwhile").isEqualTo(reads);
        answers.countDown();
        answered.await();
        while (seen(hasty, "blocks").containsKey("unread")) {
            hasty.read();
        }
        assertThat(value(seen(hasty, "blocks"))).isEqualTo(3L);
    }

    @Test
    @DisplayName("CN-4 many parts that do not answer keep a bounded number of threads, and all are read when they do")
    void read_manyBlock_bounded() throws InterruptedException {
        LiveParts hasty = new LiveParts(registry, null, true, log, Duration.ofMillis(1), clock::get);
        CountDownLatch answers = new CountDownLatch(1);
        AtomicInteger begun = new AtomicInteger();
        for (int i = 0; i < 2 * ReadingRunner.MOST_KEPT; i++) {
            part("part" + i, to -> {
                begun.incrementAndGet();
                awaitUninterruptibly(answers);
                to.gauge("in.flight", 1);
            });
        }
        while (begun.get() < ReadingRunner.MOST_KEPT) {
            hasty.read();
        }
        for (int i = 0; i < 10; i++) {
            hasty.read();
        }
        assertThat(begun).hasValue(ReadingRunner.MOST_KEPT);
        answers.countDown();
        for (int i = 0; i < 2 * ReadingRunner.MOST_KEPT; i++) {
            while (seen(hasty, "part" + i).containsKey("unread")) {
                hasty.read();
            }
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    private static Map<String, Object> seen(LiveParts liveParts, String name) {
        TestViewer viewer = new TestViewer();
        viewer.take("parts", liveParts.everything());
        return viewer.parts.values().stream()
                .filter(part -> name.equals(part.get("name")))
                .findFirst()
                .orElse(Map.of("unread", "not looked at yet"));
    }

    private static Object value(Map<String, Object> part) {
        return TestViewer.map(TestViewer.list(part, "measures").get(0)).get("value");
    }

    @Test
    @DisplayName(
            "CN-4 a part that always reports other series and then fails keeps its last values, and grows by nothing")
    void read_failsAfterNewSeries_lastStay() {
        FakePart part = part("prices", to -> to.gauge("in.flight", 1));
        liveParts.read();
        AtomicInteger series = new AtomicInteger();
        part.reports = to -> {
            to.gauge("in.flight", 2);
            to.gauge("new" + series.incrementAndGet(), 1);
            throw new IllegalStateException("cannot be read now");
        };
        for (int i = 0; i < 100; i++) {
            liveParts.read();
        }
        Map<String, Object> shown = everything().parts.get(1L);
        assertThat(shown).containsEntry("unread", "java.lang.IllegalStateException");
        assertThat(TestViewer.list(shown, "measures"))
                .containsExactly(Map.of("measure", "in.flight", "type", "gauge", "value", 1L));
    }

    @Test
    @DisplayName("CN-4 a part that reports a measure twice is shown with both, and neither is taken for the other")
    void read_sameSeriesTwice_bothShown() {
        FakePart part = part("prices", to -> {
            to.count("refused", 1, "code", "A");
            to.count("refused", 5, "code", "A");
        });
        liveParts.read();
        liveParts.read();
        assertThat(everything().events).isEmpty();
        part.reports = to -> {
            to.count("refused", 1, "code", "A");
            to.count("refused", 6, "code", "A");
        };
        liveParts.read();
        assertThat(everything().events).extracting(event -> event.get("text")).containsExactly("once");
    }

    @Test
    @DisplayName("CN-4 what a part has counted before it was added is no news")
    void read_addedWithTotals_noEvents() {
        part("first", to -> {});
        liveParts.read();
        FakePart old = part("old", to -> to.count("refused", 1_000, "code", "A"));
        liveParts.read();
        liveParts.read();
        registry.remove(old);
        liveParts.read();
        registry.add(old);
        liveParts.read();
        assertThat(everything().events)
                .extracting(event -> event.get("type") + " " + event.get("text"))
                .containsExactly("part added", "part removed", "part added");
    }

    @Test
    @DisplayName("CN-4 a part that was removed and added with other tags has these")
    void look_otherTags_shown() {
        FakePart part = part("prices", to -> {});
        liveParts.read();
        TestViewer viewer = everything();
        liveParts.change();
        registry.remove(part);
        registry.add(part, "region", "north");
        liveParts.read();
        viewer.take("change", liveParts.change());
        assertThat(viewer.parts.values())
                .singleElement()
                .satisfies(shown -> assertThat(shown).containsEntry("tags", Map.of("region", "north")));
    }

    @Test
    @DisplayName("CN-4 events that were forgotten before the next frame are sent as a number")
    void change_eventsForgotten_more() {
        FakePart part = part("prices", to -> {});
        liveParts.read();
        liveParts.change();
        for (int i = 0; i < EventLog.KEPT + 10; i++) {
            String state = "S" + i;
            part.reports = to -> to.state("state", state);
            liveParts.read();
        }
        TestViewer viewer = new TestViewer();
        viewer.take("change", liveParts.change());
        assertThat(viewer.events).hasSize(EventLog.KEPT + 1);
        assertThat(viewer.events.get(0)).containsEntry("type", "more").containsEntry("text", "9 more");
    }
}
