package io.tidegate.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidegate.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Parts that are added and removed by some threads while others scrape. */
class TidegateMetricsRaceTest {
    private static final int THREADS = 2;
    private static final int ROUNDS = 200;

    private final Registry registry = new Registry();
    private final PrometheusMeterRegistry meters =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT).throwExceptionOnRegistrationFailure();
    private final AtomicLong time = new AtomicLong();
    private final TidegateMetrics metrics = new TidegateMetrics(registry, this::later);

    /** A ticker that makes every reading too old, so that each read of a meter reads its part. */
    private long later() {
        return time.addAndGet(TimeUnit.MILLISECONDS.toNanos(TidegateMetrics.SHARED_MILLIS));
    }

    private static void together(List<Runnable> tasks) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            CountDownLatch start = new CountDownLatch(tasks.size());
            List<Future<?>> ends = new ArrayList<>();
            for (Runnable task : tasks) {
                ends.add(threads.submit(() -> {
                    start.countDown();
                    start.await();
                    task.run();
                    return null;
                }));
            }
            for (Future<?> end : ends) {
                end.get(10, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns a part whose count rises with each reading, and that has a new series in each reading. */
    private static FakePart restless(String name) {
        AtomicLong count = new AtomicLong();
        return new FakePart("group", name, to -> {
            long now = count.incrementAndGet();
            to.count("read", now);
            to.gauge("group.waiting", (double) now, "group", "g" + now);
            to.state("state", "s" + now % 3);
        });
    }

    @Test
    @DisplayName(
            "OB-8 whatever changes during scrapes, each is sound, and in the end the meters are those of the parts")
    void addAndRemove_whileScraped_endsWithThePresentParts() throws Exception {
        metrics.bindTo(meters);
        AtomicLong changing = new AtomicLong(THREADS);
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            String thread = "t" + i;
            tasks.add(() -> {
                for (int round = 0; round < ROUNDS; round++) {
                    FakePart part = restless(thread + "-" + round);
                    registry.add(part, "key" + round % 10, thread);
                    registry.remove(part);
                }
                registry.add(restless(thread));
                changing.decrementAndGet();
            });
            tasks.add(() -> {
                do {
                    PrometheusText.parse(meters.scrape());
                } while (changing.get() > 0);
            });
        }

        together(tasks);

        assertThat(meters.getMeters().stream().map(meter -> meter.getId().getTag("name")))
                .containsOnly("t0", "t1");
        metrics.close();
        assertThat(meters.getMeters()).isEmpty();
    }

    @Test
    @DisplayName("OB-8 no count is seen to fall, though many threads read")
    void current_manyThreads_neverFalls() throws Exception {
        Series count = new Series(Series.Shape.COUNT, "read", Map.of());
        ObservedPart watched = new ObservedPart(restless("always"), Map.of(), this::later, any -> {});
        List<Runnable> tasks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            tasks.add(() -> {
                double before = 0;
                for (int round = 0; round < 10_000; round++) {
                    double now = watched.current().value(count, 0);
                    assertThat(now).isGreaterThanOrEqualTo(before);
                    before = now;
                }
            });
        }

        together(tasks);
    }

    @Test
    @DisplayName("OB-8 a reader that was overtaken does not bring back an older count")
    void current_readerIsOvertaken_showsTheNewerReading() throws Exception {
        Series count = new Series(Series.Shape.COUNT, "read", Map.of());
        AtomicLong reads = new AtomicLong();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch overtaken = new CountDownLatch(1);
        FakePart part = new FakePart("group", "slow", to -> {
            long now = reads.incrementAndGet();
            to.count("read", now);
            if (now == 1) {
                begun.countDown();
                await(overtaken);
            }
        });
        ObservedPart watched = new ObservedPart(part, Map.of(), this::later, any -> {});
        together(List.of(() -> assertThat(watched.current().value(count, 0)).isEqualTo(2), () -> {
            await(begun);
            assertThat(watched.current().value(count, 0)).isEqualTo(2);
            overtaken.countDown();
        }));

        assertThat(watched.last().value(count, 0)).isEqualTo(2);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
