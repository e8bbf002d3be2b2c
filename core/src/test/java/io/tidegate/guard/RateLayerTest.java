package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.rate.RateLimitedException;
import io.tidegate.rate.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rate limiter as a layer, with one permit in each 10 ms. */
class RateLayerTest extends GuardTest {
    private final CircuitBreaker breaker = breaker();

    private RateLimiter limiter(Duration maxWait) {
        return RateLimiter.builder(1, millis(10))
                .name("rate")
                .maxWait(maxWait)
                .ticker(time::nanos)
                .scheduler(time.scheduler())
                .build();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RL-3 GD-2 GD-3 without a wait, what is too much is refused, with the limiter's own exception")
    void noWait_refuses(boolean async) throws Exception {
        RateLimiter limiter = limiter(Duration.ZERO);
        Guard guard = built(builder().breaker(breaker).rateLimit(limiter));
        assertThat(guard.call(() -> "first")).isEqualTo("first");
        Throwable refused = async
                ? errorOf(submit(guard, CompletableFuture::new))
                : thrownBy(() -> guard.call(throwing(new AssertionError("ran"))));
        assertThat(refused).isInstanceOfSatisfying(RateLimitedException.class, refusal -> {
            assertThat(refusal.source()).isEqualTo("rate");
            assertThat(refusal.retryAfter()).isEqualTo(millis(10));
        });
        assertThat(breaker.counts().requests()).isOne();
        assertThat(limiter.stats().admitted()).isOne();
    }

    @Test
    @DisplayName("RL-4 submit waits in order, without a thread; ended, its place goes to those behind")
    void submit_waits() {
        Guard guard = built(builder().breaker(breaker).rateLimit(limiter(Duration.ofSeconds(1))));
        List<String> order = new ArrayList<>();
        List<CompletableFuture<String>> futures = new ArrayList<>();
        for (String name : List.of("a", "b", "c", "d")) {
            futures.add(submit(guard, () -> {
                order.add(name);
                return CompletableFuture.completedFuture(name);
            }));
        }
        assertThat(order).containsExactly("a");
        futures.get(1).cancel(false);
        time.advance(millis(10));
        assertThat(order).containsExactly("a", "c");
        time.advance(millis(10));
        assertThat(order).containsExactly("a", "c", "d");
        assertThat(breaker.counts().totalSuccesses()).isEqualTo(3);
        assertThat(breaker.counts().requests()).isEqualTo(3);
        time.forgetScheduled();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("TL-5 a wait for a rate that would end after the deadline does not begin")
    void wait_beyondTheDeadline_isRefused(boolean async) throws Exception {
        RateLimiter limiter = limiter(Duration.ofSeconds(1));
        Guard guard = built(builder().timeLimit(millis(5)).rateLimit(limiter));
        guard.call(() -> 1);
        Throwable refused = async
                ? errorOf(submit(guard, CompletableFuture::new))
                : thrownBy(() -> guard.call(throwing(new AssertionError("ran"))));
        assertThat(refused).isInstanceOf(RateLimitedException.class);
        assertThat(guard.stats().refusals()).isOne();
        assertThat(limiter.stats().waiting()).isZero();
    }

    @Test
    @DisplayName("GD-9 RL-4 a call waits on its thread; an interrupt ends the wait")
    void call_waitsOnItsThread() throws Exception {
        RateLimiter limiter = limiter(Duration.ofSeconds(1));
        Guard guard = built(builder().breaker(breaker).rateLimit(limiter));
        guard.call(() -> 1);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> guard.call(throwing(new AssertionError("ran"))))
                .isInstanceOf(InterruptedException.class);
        assertThat(limiter.stats().waiting()).isZero();
        assertThat(breaker.counts().requests()).isOne();
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                guard.call(() -> ran.complete(Thread.currentThread()));
            } catch (Throwable failed) {
                ran.completeExceptionally(failed);
            }
        });
        caller.start();
        while (limiter.stats().waiting() == 0) {
            Thread.onSpinWait();
        }
        time.advance(millis(10));
        assertThat(ran.get(1, TimeUnit.MINUTES)).isSameAs(caller);
        caller.join();
        time.forgetScheduled();
    }
}
