package io.tidegate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {
    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration MAX = Duration.ofSeconds(60);
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    @Test
    void none_anyRetry_isZero() {
        assertThat(Backoff.none().delay(1)).isZero();
        assertThat(Backoff.none().delay(Integer.MAX_VALUE)).isZero();
    }

    @Test
    void fixed_anyRetry_isTheSame() {
        assertThat(Backoff.fixed(FIRST).delay(1)).isEqualTo(FIRST);
        assertThat(Backoff.fixed(FIRST).delay(Integer.MAX_VALUE)).isEqualTo(FIRST);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8, 9, 10, 30, 31, 62, 63, 64, 65, Integer.MAX_VALUE})
    @DisplayName("RT-6 a pause never exceeds its ceiling")
    void exponential_anyRetry_isUpToItsCeiling(int retry) {
        Duration ceiling = retry > 9 ? MAX : min(FIRST.multipliedBy(1L << (retry - 1)), MAX);
        for (int i = 0; i < 10_000; i++) {
            assertThat(Backoff.exponential(FIRST, MAX).delay(retry))
                    .isPositive()
                    .isLessThanOrEqualTo(ceiling);
        }
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    @Test
    @DisplayName("RT-6 a thousand that failed together come back at a thousand times")
    void exponential_thousandAtOnce_spread() {
        Backoff backoff = Backoff.exponential(FIRST, MAX);
        List<Duration> delays =
                IntStream.range(0, 1_000).mapToObj(i -> backoff.delay(1)).toList();

        assertThat(delays.stream().distinct()).hasSizeGreaterThan(900);
        for (int tenth = 0; tenth < 10; tenth++) {
            Duration from = FIRST.dividedBy(10).multipliedBy(tenth);
            Duration to = from.plus(FIRST.dividedBy(10));
            assertThat(delays).anyMatch(delay -> delay.compareTo(from) > 0 && delay.compareTo(to) <= 0);
        }
    }

    @Test
    @DisplayName("RT-6 no duration overflows")
    void exponential_durationsTooLongToCount_areTheLongest() {
        assertThat(Backoff.exponential(FOREVER, FOREVER).delay(1)).isPositive();
        assertThat(Backoff.exponential(Duration.ofNanos(1), FOREVER).delay(64)).isPositive();
        assertThat(Backoff.exponential(Duration.ofNanos(1), Duration.ofNanos(1)).delay(1))
                .isEqualTo(Duration.ofNanos(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void delay_retryNotPositive_isMisuse(int retry) {
        for (Backoff backoff : List.of(Backoff.none(), Backoff.fixed(FIRST), Backoff.exponential(FIRST, MAX))) {
            assertThatThrownBy(() -> backoff.delay(retry))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("retry: " + retry + " (expected: >= 1)");
        }
    }

    @Test
    void build_badDurations_areMisuse() {
        assertThatThrownBy(() -> Backoff.fixed(Duration.ofMillis(-1)))
                .hasMessage("delay: PT-0.001S (expected: not negative)");
        assertThatThrownBy(() -> Backoff.exponential(Duration.ZERO, MAX))
                .hasMessage("first: PT0S (expected: positive)");
        assertThatThrownBy(() -> Backoff.exponential(MAX, FIRST)).hasMessage("max: PT0.2S (expected: >= PT1M)");
    }
}
