package io.tidegate.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.memory.Allocations;
import io.tidegate.reading.Measures;
import io.tidegate.reading.Measures.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
    private final AtomicLong ticker = new AtomicLong(-5);
    private final Times times = new Times(ticker::get);

    private Time read() {
        Measures measures = new Measures();
        times.read(measures, "run");
        return measures.times.get("run");
    }

    private void run(long nanos) {
        long stamp = times.begin();
        ticker.addAndGet(nanos);
        times.end(stamp);
    }

    @Test
    @DisplayName("OB-5 what nobody reads is not timed")
    void begin_neverRead_looksAtNoClock() {
        AtomicLong looks = new AtomicLong();
        Times unread = new Times(looks::incrementAndGet);
        long toBeMade = looks.get();
        unread.end(unread.begin());
        assertThat(looks).hasValue(toBeMade);
        assertThat(unread.isRead()).isFalse();
    }

    @Test
    @DisplayName("OB-5 the first reading tells no times, and times what comes")
    void read_first_isEmpty() {
        run(5_000);
        assertThat(read()).isEqualTo(new Time(0, 0, 0, 0, 0));
        run(5_000);
        assertThat(read().count()).isEqualTo(1);
    }

    @Test
    @DisplayName("OB-5 what began before the first reading is not timed")
    void end_begunBeforeTheFirstReading_isNotTimed() {
        long before = times.begin();
        read();
        times.end(before);
        assertThat(read().count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    @DisplayName("OB-5 quantiles from 1 µs to 1 h are within 5 % of the true ones, and count, total and maximum exact")
    void read_random_isWithinFivePercent(long seed) {
        Random random = new Random(seed);
        read();
        List<Long> all = new ArrayList<>();
        long total = 0;
        for (int i = 0; i < 5_000; i++) {
            long nanos = (long) (1_000 * Math.pow(Duration.ofHours(1).toNanos() / 1_000.0, random.nextDouble()));
            run(nanos);
            all.add(nanos);
            total += nanos;
        }
        Collections.sort(all);
        Time told = read();
        assertThat(told.count()).isEqualTo(5_000);
        assertThat(told.totalNanos()).isEqualTo(total);
        assertThat(told.maxNanos()).isEqualTo(all.get(4_999));
        assertThat(told.p50Nanos()).isBetween(share(all.get(2_499), 0.95), share(all.get(2_499), 1.05));
        assertThat(told.p99Nanos()).isBetween(share(all.get(4_949), 0.95), share(all.get(4_949), 1.05));
    }

    private static long share(long nanos, double share) {
        return (long) (nanos * share);
    }

    @Test
    @DisplayName("OB-5 every duration up to an hour is told within 5 %")
    void middleOf_anyDuration_isWithinFivePercent() {
        for (double nanos = 1_000; nanos <= Duration.ofHours(1).toNanos(); nanos *= 1.0007) {
            long exact = (long) nanos;
            double told = Histogram.middleOf(Histogram.bucketOf(exact));
            assertThat(told / exact).as("%s ns", exact).isBetween(0.95, 1.05);
        }
        for (int nanos = 0; nanos < 32; nanos++) {
            assertThat(Histogram.middleOf(Histogram.bucketOf(nanos))).isEqualTo(nanos);
        }
    }

    @Test
    @DisplayName("OB-5 what takes days, or has a clock that runs back, is told without an error")
    void end_oddDurations_areCounted() {
        read();
        run(Duration.ofDays(3).toNanos());
        run(-10_000);
        Time told = read();
        assertThat(told.count()).isEqualTo(2);
        assertThat(told.maxNanos()).isEqualTo(Duration.ofDays(3).toNanos());
        assertThat(told.p50Nanos()).isZero();
    }

    @Test
    @DisplayName("OB-5 very short ones are sampled in the end, and each that is timed counts for all of its kind")
    void begin_shortOnes_areSampled() {
        read();
        int timed = 0;
        int calls = 200_000;
        for (int i = 0; i < calls; i++) {
            long stamp = times.begin();
            timed += stamp == 0 ? 0 : 1;
            ticker.addAndGet(100);
            times.end(stamp);
        }
        assertThat(timed).isLessThan(calls / 20);
        long sampled = timed - Times.SHORT_ONES_BEFORE_SAMPLING;
        Time told = read();
        assertThat(told.count()).isEqualTo(Times.SHORT_ONES_BEFORE_SAMPLING + sampled * Times.SAMPLED_ONE_IN);
        assertThat(told.p99Nanos()).isBetween(95L, 105L);
        assertThat(told.totalNanos()).isEqualTo(told.count() * 100);
    }

    @Test
    @DisplayName("OB-5 one that takes long has all timed again")
    void end_longAmongShort_timesAllAgain() {
        read();
        for (int i = 0; i < Times.SHORT_ONES_BEFORE_SAMPLING; i++) {
            run(1);
        }
        long stamp;
        do {
            stamp = times.begin();
        } while (stamp == 0);
        ticker.addAndGet(Times.SHORT_NANOS);
        times.end(stamp);
        for (int i = 0; i < 100; i++) {
            assertThat(times.begin()).isNotZero();
        }
    }

    @Test
    @DisplayName("OB-5 timing allocates nothing")
    void end_timed_allocatesNothing() {
        read();
        long bytes = Allocations.of(100_000, i -> run(i % 2 == 0 ? 10 : 20_000));
        assertThat(bytes).isLessThan(Allocations.SLACK);
    }

    @Test
    @DisplayName("OB-5 many threads at once: none is lost")
    void end_manyThreads_losesNone() throws InterruptedException {
        Times shared = new Times();
        shared.read(new Measures(), "run");
        int threads = 4;
        int each = 20_000;
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            long nanos = 2_000 + i;
            Thread thread = new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    shared.took(nanos);
                }
            });
            thread.start();
            started.add(thread);
        }
        for (Thread thread : started) {
            thread.join();
        }
        Measures measures = new Measures();
        shared.read(measures, "run");
        Time told = measures.times.get("run");
        assertThat(told.count()).isEqualTo((long) threads * each);
        assertThat(told.totalNanos()).isEqualTo(each * (4 * 2_000L + 0 + 1 + 2 + 3));
        assertThat(told.maxNanos()).isEqualTo(2_003);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 10, 16, 32, 55, 64, 89, 100, 128, 233, 256, 1_000, 1_024, 4_096})
    @DisplayName("OB-5 of numbered calls one in 256 is sampled, of each so-manieth one, too")
    void isSampled_stepsThroughNumbers_oneInSoMany(int step) {
        int sampled = 0;
        int all = 4_000_000;
        for (long i = 0; i < all; i++) {
            if (Times.isSampled(i * step + 12_345)) {
                sampled++;
            }
        }
        assertThat(sampled * (double) Times.SAMPLED_ONE_IN / all).isBetween(0.98, 1.02);
    }

    @Test
    @DisplayName("OB-5 of very short numbered calls one in 256 is timed and counts for all of them")
    void begin_numberedShortCalls_areSampled() {
        read();
        int all = 1_000_000;
        for (int i = 0; i < all; i++) {
            long stamp = times.begin(i);
            ticker.addAndGet(500);
            times.end(stamp);
        }
        Time told = read();
        assertThat(told.count() / (double) all).isBetween(0.98, 1.02);
        assertThat(told.totalNanos() / 500.0 / all).isBetween(0.98, 1.02);
    }
}
