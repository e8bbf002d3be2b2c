package io.tidegate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
    @Test
    void ticker_movesByHand_backwardsAndAround() {
        ManualTicker ticker = new ManualTicker();
        assertThat(ticker.getAsLong()).isZero();
        ticker.advance(Duration.ofSeconds(1));
        assertThat(ticker.getAsLong()).isEqualTo(1_000_000_000);
        ticker.advance(Duration.ofSeconds(-2));
        assertThat(ticker.getAsLong()).isEqualTo(-1_000_000_000);
        ticker.set(Long.MAX_VALUE);
        ticker.advance(Duration.ofNanos(1));
        assertThat(ticker.getAsLong()).isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void clock_movesByHand_inEveryZone() {
        ManualClock clock = new ManualClock();
        Clock elsewhere = clock.withZone(ZoneId.of("Asia/Tokyo"));
        assertThat(clock.instant()).isEqualTo(Instant.EPOCH);
        clock.advance(Duration.ofMillis(5));
        assertThat(elsewhere.millis()).isEqualTo(5);
        clock.advance(Duration.ofMillis(-10));
        assertThat(clock.millis()).isEqualTo(-5);
        clock.set(Instant.MAX);
        assertThat(elsewhere.instant()).isEqualTo(Instant.MAX);
        assertThat(clock.getZone()).isEqualTo(ZoneOffset.UTC);
        assertThat(elsewhere.getZone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
    }
}
