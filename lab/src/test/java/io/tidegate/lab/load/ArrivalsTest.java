package io.tidegate.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private final ManualTime time = new ManualTime();
    private final List<Long> dues = new ArrayList<>();
    private final List<Long> starts = new ArrayList<>();
    private final List<Integer> seconds = new ArrayList<>();

    @Test
    void count_partOfASecond_isRateTimesLength() {
        assertThat(new Arrivals(600, Duration.ofMillis(2_500)).count()).isEqualTo(1_500);
        assertThat(new Arrivals(600, Duration.ofMillis(2_500)).seconds()).isEqualTo(3);
        assertThat(new Arrivals(3, Duration.ofSeconds(5)).seconds()).isEqualTo(5);
    }

    @Test
    void run_fastArrivals_eachStartsWhenDue() throws InterruptedException {
        new Arrivals(4, Duration.ofSeconds(2)).run(time, this::note);

        assertThat(starts)
                .containsExactly(
                        0L,
                        millis(250),
                        millis(500),
                        millis(750),
                        millis(1_000),
                        millis(1_250),
                        millis(1_500),
                        millis(1_750));
        assertThat(dues).isEqualTo(starts);
        assertThat(seconds).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
    }

    @Test
    void run_oneSlowArrival_laterOnesKeepTheirDueTimesAndCatchUp() throws InterruptedException {
        new Arrivals(10, Duration.ofMillis(500)).run(time, (due, second) -> {
            note(due, second);
            if (dues.size() == 2) {
                time.sleep(millis(250));
            }
        });

        assertThat(dues).containsExactly(0L, millis(100), millis(200), millis(300), millis(400));
        assertThat(starts).containsExactly(0L, millis(100), millis(350), millis(350), millis(400));
    }

    @Test
    void run_twice_secondFollowsWithoutAGapOrAJump() throws InterruptedException {
        Arrivals arrivals = new Arrivals(4, Duration.ofSeconds(1));
        arrivals.run(time, this::note);
        arrivals.run(time, this::note);

        assertThat(starts.subList(3, 5)).containsExactly(millis(750), millis(1_000));
    }

    private void note(long due, int second) {
        dues.add(due - ManualTime.START);
        starts.add(time.nanos() - ManualTime.START);
        seconds.add(second);
    }

    private static long millis(long millis) {
        return millis * 1_000_000;
    }
}
