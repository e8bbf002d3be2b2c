package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.Backoff;
import io.tidegate.Holder;
import io.tidegate.HolderWatch;
import io.tidegate.Part;
import io.tidegate.Refusal;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.memory.Allocations;
import io.tidegate.rate.RateLimiter;
import io.tidegate.reading.Measures;
import io.tidegate.remote.RemoteBulkhead;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.retry.Hedge;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MeasuresTest {
    private static final class Odd extends RuntimeException implements Refusal {
        private static final long serialVersionUID = 1L;
        private final String code;

        Odd(String code) {
            this.code = code;
        }

        @Override
        public String code() {
            if (code.equals("throws")) {
                throw new AssertionError();
            }
            return code;
        }

        @Override
        public String source() {
            return "odd";
        }

        @Override
        public Duration retryAfter() {
            return Duration.ZERO;
        }
    }

    private static void fail(Guard guard, Exception error) {
        assertThatThrownBy(() -> guard.call(() -> {
                    throw error;
                }))
                .isSameAs(error);
    }

    @Test
    @DisplayName("OB-4 calls, ended by outcome, refused by code, retries, hedges, in flight")
    void read_mixed_tellsAll() throws Exception {
        AsyncBulkhead bulkhead = AsyncBulkhead.of(1);
        Guard guard = Guard.builder("shop").bulkhead(bulkhead).build();
        guard.call(() -> 1);
        fail(guard, new IOException());
        fail(guard, new InterruptedException());
        fail(guard, new Odd("MINE"));
        CompletableFuture<Object> pending = new CompletableFuture<>();
        CompletableFuture<Object> cancelled = guard.submit(() -> pending).toCompletableFuture();
        guard.submit(() -> pending);
        assertThat(Measures.of(guard).gauges).isEqualTo(Map.of("in.flight", 1.0));
        cancelled.cancel(false);
        Measures told = Measures.of(guard);
        assertThat(told.gauges).isEqualTo(Map.of("in.flight", 0.0));
        assertThat(told.counts)
                .containsEntry("calls", 6L)
                .containsEntry("ended[outcome, success]", 1L)
                .containsEntry("ended[outcome, failure]", 1L)
                .containsEntry("ended[outcome, refused]", 2L)
                .containsEntry("ended[outcome, timeout]", 0L)
                .containsEntry("ended[outcome, cancelled]", 2L)
                .containsEntry("refused[code, AB_ERR_FULL]", 1L)
                .containsEntry("refused[code, MINE]", 1L)
                .containsEntry("retries", 0L)
                .containsEntry("hedges", 0L);
    }

    @Test
    @DisplayName("OB-4 a user's refusals with odd codes, or ever new ones, stay a bounded number of series")
    void read_oddCodes_areBounded() {
        Guard guard = Guard.builder("shop").build();
        fail(guard, new Odd("throws"));
        assertThat(guard.submit(() -> CompletableFuture.failedFuture(new Odd("throws")))
                        .toCompletableFuture())
                .isCompletedExceptionally();
        for (int i = 0; i < 1_000; i++) {
            fail(guard, new Odd("CODE_" + i));
        }
        Map<String, Long> counts = Measures.of(guard).counts;
        long series = counts.keySet().stream()
                .filter(name -> name.startsWith("refused"))
                .count();
        assertThat(series).isLessThan(100);
        long sum = counts.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("refused"))
                .mapToLong(Map.Entry::getValue)
                .sum();
        assertThat(sum).isEqualTo(1_002);
    }

    @Test
    @DisplayName("OB-4 the tightest budget is told")
    void read_budget_isTold() {
        RetryBudget wide = RetryBudget.of(0.5, 100, Duration.ofSeconds(10), () -> 0);
        RetryBudget tight = RetryBudget.of(0.5, 1, Duration.ofSeconds(10), () -> 0);
        Guard guard = Guard.builder("shop")
                .retry(Retry.builder().budget(wide).backoff(Backoff.none()).build())
                .retry(Retry.builder().budget(tight).backoff(Backoff.none()).build())
                .build();
        assertThat(Measures.of(guard).gauges).containsEntry("budget", tight.available());
        assertThat(Measures.of(Guard.builder("none").build()).gauges).doesNotContainKey("budget");
    }

    @Test
    @DisplayName("OB-5 run times go by the guard's clock, from the first reading on")
    void read_runs_areTimed() throws Exception {
        AtomicLong now = new AtomicLong(-3);
        Time time = new Time() {
            @Override
            public long nanos() {
                return now.get();
            }
        };
        for (boolean listens : new boolean[] {false, true}) {
            GuardBuilder builder = new GuardBuilder("shop", time);
            if (listens) {
                builder.listener(new GuardListener() {});
            }
            Guard guard = builder.build();
            guard.call(() -> now.addAndGet(7_000_000));
            assertThat(Measures.of(guard).times.get("run").count()).isZero();
            guard.call(() -> now.addAndGet(5_000_000));
            guard.submit(() -> {
                now.addAndGet(9_000_000);
                return CompletableFuture.failedFuture(new IOException());
            });
            Measures.Time runs = Measures.of(guard).times.get("run");
            assertThat(runs.count()).isEqualTo(2);
            assertThat(runs.totalNanos()).isEqualTo(14_000_000);
            assertThat(runs.maxNanos()).isEqualTo(9_000_000);
            assertThat(runs.p50Nanos()).isBetween(4_750_000L, 5_250_000L);
        }
    }

    @Test
    @DisplayName("OB-5 OB-6 GD-5 a call allocates nothing, timed or not")
    void call_timed_allocatesNothing() {
        Guard guard = Guard.builder("shop")
                .breaker(CircuitBreaker.of("shop"))
                .bulkhead(AsyncBulkhead.of(4))
                .build();
        Runnable call = () -> {
            try {
                guard.call(() -> null);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        };
        assertThat(Allocations.of(50_000, i -> call.run())).isLessThan(Allocations.SLACK);
        Measures.of(guard);
        guard.parts().forEach(Measures::of);
        assertThat(Allocations.of(50_000, i -> call.run())).isLessThan(Allocations.SLACK);
    }

    @Test
    @DisplayName("OB-6 calls that take too long are told once, and given back like all others")
    void watchHolders_longCalls_areTold() throws Exception {
        BlockingQueue<Holder> told = new ArrayBlockingQueue<>(10);
        Guard guard = Guard.builder("shop")
                .watch(HolderWatch.olderThan(Duration.ofNanos(1))
                        .owner(() -> "order 7")
                        .listener(told::add))
                .build();
        guard.call(() -> {
            Holder holder = told.poll(10, TimeUnit.MINUTES);
            assertThat(holder.kind()).isEqualTo("guard");
            assertThat(holder.source()).isEqualTo("shop");
            assertThat(holder.owner()).isEqualTo("order 7");
            assertThat(Measures.of(guard).gauges.get("held.oldest")).isPositive();
            return null;
        });
        assertThat(Measures.of(guard).gauges).containsEntry("held.oldest", 0.0).containsEntry("in.flight", 0.0);
        assertThat(Measures.of(guard).counts).containsEntry("held.long", 1L);
    }

    @Test
    @DisplayName("OB-1 a guard tells which parts stand in it, outermost first, each once")
    void parts_layers_areListed() {
        CircuitBreaker breaker = CircuitBreaker.of("b");
        AsyncBulkhead bulkhead = AsyncBulkhead.of(1);
        RateLimiter waits = RateLimiter.builder(1, Duration.ofSeconds(1))
                .maxWait(Duration.ofSeconds(1))
                .build();
        Guard guard = Guard.builder("shop")
                .timeLimit(Duration.ofSeconds(1))
                .rateLimit(waits)
                .breaker(breaker)
                .bulkhead(bulkhead)
                .breaker(breaker)
                .build();
        assertThat(guard.parts()).containsExactly(waits, breaker, bulkhead);
    }

    @Test
    @DisplayName("OB-1 a guard tells its layers, outermost first, with their parts and time limits")
    void layers_all_areListed() {
        CircuitBreaker breaker = CircuitBreaker.of("b");
        AsyncBulkhead bulkhead = AsyncBulkhead.of(1);
        RateLimiter waits = RateLimiter.builder(1, Duration.ofSeconds(1))
                .maxWait(Duration.ofSeconds(1))
                .build();
        RemoteBulkheadClient remote =
                RemoteBulkheadClient.of(RemoteBulkhead.builder(1).build());
        AtomicReference<Duration> live = new AtomicReference<>(Duration.ofSeconds(2));
        Guard guard = Guard.builder("shop")
                .timeLimit(Duration.ofSeconds(9))
                .retry(Retry.builder().build())
                .hedge(Hedge.builder(Duration.ofMillis(1)).build())
                .rateLimit(waits)
                .breaker(breaker)
                .bulkhead(bulkhead)
                .bulkhead(remote, remote.takeCapability())
                .breaker(breaker)
                .liveTimeLimit(live::get)
                .build();
        live.set(Duration.ofSeconds(3));
        assertThat(guard.layers())
                .containsExactly(
                        limit(Duration.ofSeconds(9)),
                        new GuardLayer("retry", Optional.empty(), Optional.empty()),
                        new GuardLayer("hedge", Optional.empty(), Optional.empty()),
                        layer("rate", waits),
                        layer("breaker", breaker),
                        layer("bulkhead", bulkhead),
                        layer("remote", remote),
                        layer("breaker", breaker),
                        limit(Duration.ofSeconds(3)));
        assertThat(Guard.builder("none").build().layers()).isEmpty();
    }

    private static GuardLayer layer(String kind, Part part) {
        return new GuardLayer(kind, Optional.of(part), Optional.empty());
    }

    private static GuardLayer limit(Duration limit) {
        return new GuardLayer("time-limit", Optional.empty(), Optional.of(limit));
    }
}
