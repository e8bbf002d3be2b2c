package io.tidegate.rate.lincheck;

import static io.tidegate.lincheck.Strategy.MODEL_CHECKING;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.lincheck.Strategy;
import io.tidegate.rate.broken.BrokenLimiter;
import io.tidegate.rate.broken.LimiterFactory;
import java.time.Duration;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLincheckTest {
    @ParameterizedTest
    @CsvSource({
        "MODEL_CHECKING, 1, PT1S",
        "STRESS, 1, PT1S",
        "MODEL_CHECKING, 1234567890123, PT24H",
        "STRESS, 1234567890123, PT24H"
    })
    @DisplayName("RL-1 RL-2 RL-3 tries are linearizable, in whatever order of times, while the word is renewed")
    void permits_tidegate_linearizable(Strategy strategy, long permits, Duration period) {
        check(strategy, LimiterFactory.TIDEGATE, permits, period);
    }

    @Test
    @Tag("broken")
    @DisplayName("RL-1 one permit too many is caught")
    void permits_broken_caught() {
        assertThatThrownBy(() -> check(MODEL_CHECKING, BrokenLimiter.CHECK_THEN_ACT, 1, Duration.ofSeconds(1)))
                .isInstanceOf(LincheckAssertionError.class)
                .hasMessageContaining("= Invalid execution results =");
    }

    private static void check(Strategy strategy, LimiterFactory factory, long permits, Duration period) {
        Setting.factory = factory;
        Setting.permits = permits;
        Setting.period = period;
        strategy.check(Permits.class, PermitsSpecification.class, !(factory instanceof BrokenLimiter));
    }
}
