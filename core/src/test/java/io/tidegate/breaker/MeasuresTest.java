package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.reading.Measures;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MeasuresTest {
    private final AtomicLong ticker = new AtomicLong();

    @Test
    @DisplayName("OB-4 state, generation, rates, late, ended by outcome, refused by code")
    void read_mixed_tellsAll() {
        CircuitBreaker breaker = CircuitBreaker.builder("pay")
                .failureRate(0.5, 2)
                .slidingWindow(10)
                .slowCalls(Duration.ofSeconds(1), 1)
                .timeout(Duration.ofSeconds(1))
                .ticker(ticker::get)
                .build();
        long late = breaker.tryAcquire();
        breaker.onSuccess(breaker.tryAcquire());
        breaker.onIgnored(breaker.tryAcquire());
        Measures closed = Measures.of(breaker);
        assertThat(closed.states).containsEntry("state", "CLOSED");
        assertThat(closed.counts).containsEntry("generation", 0L).containsEntry("ignored", 1L);
        breaker.onFailure(breaker.tryAcquire(), new IOException());
        assertThat(Measures.of(breaker).gauges)
                .containsEntry("failure.rate", 0.5)
                .containsEntry("slow.rate", 0.0);
        breaker.onFailure(breaker.tryAcquire(), new IOException());
        breaker.onSuccess(late);
        breaker.tryAcquire();
        ticker.set(2_000_000_000);
        breaker.tryAcquire();
        breaker.tryAcquire();
        breaker.tryAcquire();
        Measures told = Measures.of(breaker);
        assertThat(told.states).containsEntry("state", "HALF_OPEN");
        assertThat(told.counts)
                .containsEntry("generation", 2L)
                .containsEntry("late", 1L)
                .containsEntry("lost", 0L)
                .containsEntry("misused", 0L)
                .containsEntry("ended[outcome, success]", 1L)
                .containsEntry("ended[outcome, failure]", 2L)
                .containsEntry("refused[code, CB_ERR_OPEN]", 1L)
                .containsEntry("refused[code, CB_ERR_PROBES_BUSY]", 2L);
        assertThat(breaker.metrics().refused()).isEqualTo(3);
        assertThat(breaker.kind()).isEqualTo("breaker");
    }
}
