package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RunnerBackoffTest {
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration MAX = Duration.ofSeconds(5);
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    private final Backoff backoff = Backoff.exponential(FIRST, MAX);

    @Test
    void delay_sameNumbers_isTheSame() {
        assertThat(backoff.delay(17, 3))
                .isEqualTo(Backoff.exponential(FIRST, MAX).delay(17, 3));
    }

    @Test
    void delay_anyRetry_isBetweenHalfTheCeilingAndTheCeiling() {
        for (int retry = 1; retry <= 100; retry++) {
            Duration ceiling = retry <= 6 ? FIRST.multipliedBy(1L << (retry - 1)) : MAX;
            for (long acquired = -500; acquired < 500; acquired++) {
                assertThat(backoff.delay(acquired, retry)).isBetween(ceiling.dividedBy(2), ceiling);
            }
        }
    }

    @Test
    void delay_neighbouringTimes_areSpreadOverTheRange() {
        int[] quarters = new int[4];
        for (long acquired = 0; acquired < 4_000; acquired++) {
            long above = backoff.delay(acquired, 1).minus(FIRST.dividedBy(2)).toNanos();
            quarters[(int) Math.min(3, above * 8 / FIRST.toNanos())]++;
        }

        assertThat(Arrays.stream(quarters)).allMatch(count -> count > 800 && count < 1_200);
    }

    @Test
    void delay_retriesOfOneOffset_haveJitterOfTheirOwn() {
        Backoff flat = Backoff.exponential(MAX, MAX);
        Set<Duration> delays = LongStream.rangeClosed(1, 100)
                .mapToObj(retry -> flat.delay(17, (int) retry))
                .collect(Collectors.toSet());

        assertThat(delays).hasSize(100);
    }

    @Test
    void delay_outOfRange_neverOverflows() {
        Backoff longest = Backoff.exponential(Duration.ofNanos(1), FOREVER);
        for (int retry : new int[] {Integer.MIN_VALUE, 0, 1, 62, 63, 64, 65, 128, Integer.MAX_VALUE}) {
            assertThat(longest.delay(Long.MIN_VALUE, retry)).isBetween(Duration.ZERO, Duration.ofNanos(Long.MAX_VALUE));
        }
        assertThat(longest.delay(0, Integer.MAX_VALUE)).isGreaterThan(Duration.ofDays(365 * 100));
        assertThat(longest.delay(0, 63)).isBetween(Duration.ofNanos(1L << 61), Duration.ofNanos(1L << 62));
        assertThat(longest.delay(0, 64)).isGreaterThanOrEqualTo(Duration.ofNanos(Long.MAX_VALUE / 2));
        assertThat(Backoff.exponential(FOREVER, FOREVER).delay(0, 1)).isGreaterThan(Duration.ofDays(365 * 100));
    }

    @Test
    void exponential_badDurations_areRefused() {
        assertThatThrownBy(() -> Backoff.exponential(Duration.ZERO, MAX))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("first: PT0S (expected: positive)");
        assertThatThrownBy(() -> Backoff.exponential(Duration.ofNanos(-1), MAX))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Backoff.exponential(MAX, FIRST))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("max: PT0.1S (expected: >= PT5S)");
        assertThatThrownBy(() -> Backoff.exponential(null, MAX)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Backoff.exponential(FIRST, null)).isInstanceOf(NullPointerException.class);
    }
}
