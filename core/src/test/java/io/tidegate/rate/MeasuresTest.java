package io.tidegate.rate;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.reading.Measures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MeasuresTest {
    private final AtomicLong ticker = new AtomicLong();

    @Test
    @DisplayName("OB-4 rate, burst, admitted, refused by code, waiting")
    void read_mixed_tellsAll() {
        RateLimiter limiter = RateLimiter.builder(2, Duration.ofMillis(500))
                .name("mail")
                .ticker(ticker::get)
                .build();
        limiter.tryAcquire(2);
        limiter.tryAcquire();
        Measures told = Measures.of(limiter);
        assertThat(told.gauges).isEqualTo(Map.of("waiting", 0.0, "limit", 4.0, "burst", 2.0));
        assertThat(told.counts).isEqualTo(Map.of("admitted", 2L, "refused[code, RL_ERR_EXCEEDED]", 1L));
        limiter.setRate(10, Duration.ofSeconds(1));
        assertThat(Measures.of(limiter).gauges).containsEntry("limit", 10.0).containsEntry("burst", 10.0);
        assertThat(limiter.kind()).isEqualTo("rate");
    }

    @Test
    @DisplayName("OB-5 waits are timed by the limiter's clock; a wait that is given up is not")
    void read_waits_areTimed() {
        RateLimiter limiter = RateLimiter.builder(1, Duration.ofMillis(1))
                .ticker(ticker::get)
                .maxWait(Duration.ofSeconds(1))
                .build();
        limiter.tryAcquire();
        assertThat(Measures.of(limiter).times.get("wait").count()).isZero();
        CompletableFuture<Object> waits =
                limiter.submit(() -> CompletableFuture.completedFuture(null)).toCompletableFuture();
        limiter.submit(CompletableFuture::new).toCompletableFuture().cancel(false);
        assertThat(Measures.of(limiter).gauges).containsEntry("waiting", 1.0);
        ticker.set(3_000_000);
        waits.join();
        Measures.Time told = Measures.of(limiter).times.get("wait");
        assertThat(told.count()).isEqualTo(1);
        assertThat(told.totalNanos()).isEqualTo(3_000_000);
    }

    @Test
    @DisplayName("OB-4 the count of admitted permits never falls, while threads take permits")
    void read_whileTaken_neverFalls() throws InterruptedException {
        AtomicLong time = new AtomicLong();
        RateLimiter limiter = RateLimiter.builder(1, Duration.ofNanos(1))
                .ticker(time::incrementAndGet)
                .build();
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> takers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread taker = new Thread(() -> {
                while (!over.get()) {
                    limiter.tryAcquire();
                }
            });
            taker.start();
            takers.add(taker);
        }
        long last = 0;
        for (int i = 0; i < 20_000; i++) {
            long admitted = limiter.stats().admitted();
            assertThat(admitted).isGreaterThanOrEqualTo(last);
            last = admitted;
        }
        over.set(true);
        for (Thread taker : takers) {
            taker.join();
        }
        assertThat(limiter.stats().admitted()).isGreaterThanOrEqualTo(last);
    }
}
