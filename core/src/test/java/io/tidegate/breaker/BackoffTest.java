package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackoffTest extends BreakerTest {
    private static final Duration OPEN_FOR = Duration.ofSeconds(10);

    private CircuitBreaker.Builder settings(double factor, Duration max) {
        return brittle().timeout(OPEN_FOR).openBackoff(factor, max);
    }

    private static Duration left(CircuitBreaker breaker) {
        Duration left = refusal(breaker).retryAfter();
        assertThat(breaker.diagnostics().timeUntilHalfOpen()).isEqualTo(left);
        return left;
    }

    /** Fails the probe that comes at the very end of the open time. */
    private void reopen(CircuitBreaker breaker) {
        ticker.advance(left(breaker).minus(NANO));
        assertRefused(breaker);
        ticker.advance(NANO);
        breaker.onFailure(probe(breaker), FAILURE);
    }

    @Test
    @DisplayName("CB-19 the n-th opening in a row lasts timeout times factor to the n - 1, up to max")
    void openBackoff_inARow_growsUpToMax() {
        CircuitBreaker breaker = made(settings(2, Duration.ofSeconds(35)));
        open(breaker);

        for (int seconds : new int[] {10, 20, 35, 35}) {
            assertThat(left(breaker)).isEqualTo(Duration.ofSeconds(seconds));
            reopen(breaker);
        }
    }

    @Test
    @DisplayName("CB-19 the factor need not be whole")
    void openBackoff_fraction_isExact() {
        CircuitBreaker breaker = made(settings(1.5, Duration.ofHours(1)));
        open(breaker);

        for (String seconds : new String[] {"10", "15", "22.5", "33.75", "50.625"}) {
            assertThat(left(breaker)).isEqualTo(Duration.parse("PT" + seconds + "S"));
            reopen(breaker);
        }
    }

    @Test
    @DisplayName("CB-19 closing starts over")
    void openBackoff_closed_startsOver() {
        CircuitBreaker breaker = made(settings(3, Duration.ofHours(1)));
        open(breaker);
        reopen(breaker);
        reopen(breaker);
        assertThat(left(breaker)).isEqualTo(Duration.ofSeconds(90));
        ticker.advance(Duration.ofSeconds(90));
        succeed(breaker);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);

        open(breaker);

        assertThat(left(breaker)).isEqualTo(OPEN_FOR);
    }

    @Test
    @DisplayName("CB-18 CB-19 a reset closes, and so starts over")
    void openBackoff_reset_startsOver() {
        CircuitBreaker breaker = made(settings(3, Duration.ofHours(1)));
        open(breaker);
        reopen(breaker);
        breaker.reset();

        open(breaker);

        assertThat(left(breaker)).isEqualTo(OPEN_FOR);
    }

    @Test
    @DisplayName("CB-19 a factor of 1 and no backoff keep the open time")
    void openBackoff_one_keepsTimeout() {
        CircuitBreaker constant = made(settings(1, Duration.ofHours(1)));
        CircuitBreaker none = made(brittle().timeout(OPEN_FOR));
        for (CircuitBreaker breaker : new CircuitBreaker[] {constant, none}) {
            open(breaker);
            for (int i = 0; i < 5; i++) {
                assertThat(left(breaker)).isEqualTo(OPEN_FOR);
                reopen(breaker);
            }
        }
    }

    @Test
    @DisplayName("CB-19 max bounds the first opening too")
    void openBackoff_maxBelowTimeout_bounds() {
        for (double factor : new double[] {1, 2}) {
            CircuitBreaker breaker = made(settings(factor, Duration.ofSeconds(3)));
            open(breaker);

            assertThat(left(breaker)).isEqualTo(Duration.ofSeconds(3));
            reopen(breaker);
            assertThat(left(breaker)).isEqualTo(Duration.ofSeconds(3));
        }
    }

    @Test
    @DisplayName("CB-19 thousands of openings in a row stay at max")
    void openBackoff_manyInARow_doesNotOverflow() {
        CircuitBreaker breaker = made(settings(1.01, Duration.ofDays(1)));
        open(breaker);
        Duration last = left(breaker);
        for (int i = 0; i < 3_000; i++) {
            reopen(breaker);
            assertThat(left(breaker)).isGreaterThanOrEqualTo(last);
            last = left(breaker);
        }

        assertThat(last).isEqualTo(Duration.ofDays(1));
    }

    @Test
    @DisplayName("CB-19 the steepest backoff without a bound is a very long time, not a negative one")
    void openBackoff_steepest_isLong() {
        CircuitBreaker breaker = made(settings(Double.MAX_VALUE, ChronoUnit.FOREVER.getDuration()));
        open(breaker);
        reopen(breaker);

        assertThat(refusal(breaker).retryAfter()).isGreaterThan(Duration.ofDays(365));
        ticker.advance(Duration.ofDays(36_500));
        assertRefused(breaker);
    }

    @Test
    @DisplayName("CB-17 CB-19 an updated timeout is the new base, and the openings so far still count")
    void openBackoff_timeoutUpdated_isNewBase() {
        CircuitBreaker breaker = made(settings(2, Duration.ofHours(1)));
        open(breaker);
        reopen(breaker);

        breaker.update(change -> change.timeout(Duration.ofSeconds(7)));

        assertThat(left(breaker)).isEqualTo(Duration.ofSeconds(14));
    }

    @Test
    @DisplayName("CB-19 CB-20 the diagnostics tell the open time in force: of the present opening, or of the next one")
    void diagnostics_backoff_tellsTimeInForce() {
        CircuitBreaker breaker = made(settings(2, Duration.ofSeconds(35)));
        assertThat(breaker.diagnostics().timeout()).isEqualTo(OPEN_FOR);
        open(breaker);
        for (int seconds : new int[] {10, 20, 35, 35}) {
            assertThat(breaker.diagnostics().timeout()).isEqualTo(Duration.ofSeconds(seconds));
            reopen(breaker);
        }
        ticker.advance(left(breaker));
        long probe = probe(breaker);
        assertThat(breaker.diagnostics().timeout()).isEqualTo(Duration.ofSeconds(35));
        breaker.onSuccess(probe);

        assertThat(breaker.diagnostics().timeout()).isEqualTo(OPEN_FOR);
    }
}
