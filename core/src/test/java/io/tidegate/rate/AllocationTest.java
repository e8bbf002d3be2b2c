package io.tidegate.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.memory.Allocations;
import io.tidegate.memory.Weight;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AllocationTest {
    private static final int CALLS = 20_000;

    private final ManualTime time = new ManualTime(0);

    private RateLimiter limiter(long permits, Duration period) {
        return RateLimiter.builder(permits, period).burst(10).ticker(time).build();
    }

    @ParameterizedTest
    @CsvSource({"1000, PT1S", "3, PT1S", "1, PT24H", "1000000000, PT1S", "12345, PT24H"})
    @DisplayName("RL-2 a permit and a refusal allocate nothing, however long the limiter lives")
    void tryAcquire_allocatesNothing(long permits, Duration period) {
        RateLimiter limiter = limiter(permits, period);
        long step = period.toNanos() / permits;
        long bytes = Allocations.of(CALLS, i -> {
            time.advance(step);
            limiter.tryAcquire();
            limiter.tryAcquire(2);
            limiter.nanosUntil(3);
        });

        assertThat(bytes).isLessThan(Allocations.SLACK);
    }

    @ParameterizedTest
    @CsvSource({"999999937, PT1S", "1234567, PT24H", "86399999999999, PT24H"})
    @DisplayName("RL-2 where the rate outgrows the word, that is renewed by one small object in a second at most")
    void tryAcquire_fineRate_oneSmallObjectInASecond(long permits, Duration period) {
        RateLimiter limiter = limiter(permits, period);
        long seconds = 10;
        long bytes = Allocations.of(CALLS, i -> {
            time.advance(seconds * 1_000_000_000 / CALLS);
            limiter.tryAcquire();
            limiter.tryAcquire(10);
        });
        long each = Weight.of(Rate.of(permits, period, 10).full(0));

        assertThat(bytes).isLessThan(Allocations.SLACK + (seconds + 1) * each);
        assertThat(each).isLessThan(200);
    }

    @Test
    @DisplayName("RL-2 a limiter is small, so that there may be one for each of many keys")
    void limiter_isSmall() {
        RateLimiter one =
                RateLimiter.builder(10, Duration.ofSeconds(1)).ticker(time).build();
        RateLimiter other =
                RateLimiter.builder(10, Duration.ofSeconds(1)).ticker(time).build();

        assertThat(Weight.of(one, other) - Weight.of(one)).isLessThan(500);
    }
}
