package io.tidegate.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Backoff;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunnerBuilderTest {
    @Test
    void backoff_default_isThatOfTheConstants() {
        assertThat(RunnerBuilder.DEFAULT_BACKOFF)
                .isEqualTo(Backoff.exponential(
                        Duration.ofMillis(LeaseRunner.DEFAULT_FIRST_DELAY_MILLIS),
                        Duration.ofSeconds(LeaseRunner.DEFAULT_MAX_DELAY_SECONDS)));
    }
}
