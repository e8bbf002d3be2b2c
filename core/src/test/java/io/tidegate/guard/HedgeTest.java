package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.reading.Figures;
import io.tidegate.retry.Hedge;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HedgeTest extends GuardTest {
    private final List<CompletableFuture<String>> operations = new ArrayList<>();

    private CompletableFuture<String> submit(Guard guard) {
        return submit(guard, () -> {
            CompletableFuture<String> operation = new CompletableFuture<>();
            operations.add(operation);
            return operation;
        });
    }

    private static Hedge hedge(int maxExtra) {
        return Hedge.builder(millis(10)).maxExtra(maxExtra).build();
    }

    @Test
    @DisplayName(
            "HG-1 HG-2 another attempt starts after the delay; the first success wins, losers are cancelled, uncounted")
    void hedge_firstSuccessWins() {
        CircuitBreaker breaker = breaker();
        AsyncBulkhead bulkhead = bulkhead("a", 3);
        Guard guard = built(builder().hedge(hedge(2)).breaker(breaker).bulkhead(bulkhead));
        CompletableFuture<String> future = submit(guard);
        time.advance(millis(9));
        assertThat(operations).hasSize(1);
        time.advance(millis(1));
        assertThat(operations).hasSize(2);
        time.advance(millis(100));
        assertThat(operations).hasSize(3);
        assertThat(bulkhead.inFlight()).isEqualTo(3);
        operations.get(1).complete("second");
        assertThat(future).isCompletedWithValue("second");
        assertThat(operations.get(0)).isCancelled();
        assertThat(operations.get(2)).isCancelled();
        assertThat(breaker.counts().requests()).isOne();
        assertThat(breaker.counts().totalSuccesses()).isOne();
        assertThat(Figures.of(guard.stats())).isEqualTo("calls=1 successes=1 hedges=2");
    }

    @Test
    @DisplayName("HG-1 if all fail, the first attempt's error does")
    void hedge_allFail_endsWithTheFirstError() {
        Guard guard = built(builder().hedge(hedge(1)));
        CompletableFuture<String> future = submit(guard);
        time.advance(millis(10));
        operations.get(1).completeExceptionally(new Exception("second"));
        assertThat(future).isNotDone();
        operations.get(0).completeExceptionally(FAILED);
        assertThat(errorOf(future)).isSameAs(FAILED);
        CompletableFuture<String> other = submit(guard);
        time.advance(millis(10));
        operations.get(2).completeExceptionally(FAILED);
        operations.get(3).complete("second");
        assertThat(other).isCompletedWithValue("second");
    }

    @Test
    @DisplayName("HG-3 no extra attempt after an end, a refusal, an empty budget or the deadline")
    void hedge_noMore() {
        Guard plain = built(builder().hedge(hedge(5)));
        CompletableFuture<String> failed = submit(plain);
        operations.get(0).completeExceptionally(FAILED);
        assertThat(errorOf(failed)).isSameAs(FAILED);
        time.advance(millis(100));
        assertThat(operations).hasSize(1);

        Guard narrow = built(builder().hedge(hedge(5)).bulkhead(bulkhead("narrow", 1)));
        CompletableFuture<String> refused = submit(narrow);
        time.advance(millis(100));
        assertThat(narrow.stats().hedges()).isOne();
        assertThat(operations).hasSize(2);
        operations.get(1).complete("first");
        assertThat(refused).isCompletedWithValue("first");

        RetryBudget empty = RetryBudget.of(0, 0);
        Guard poor =
                built(builder().hedge(Hedge.builder(millis(10)).budget(empty).build()));
        CompletableFuture<String> alone = submit(poor);
        time.advance(millis(100));
        assertThat(operations).hasSize(3);
        operations.get(2).complete("alone");
        assertThat(alone).isCompletedWithValue("alone");

        Guard late = built(builder().timeLimit(millis(10)).hedge(hedge(5)));
        CompletableFuture<String> limited = submit(late);
        time.advance(millis(100));
        assertThat(errorOf(limited)).isInstanceOf(TimeLimitExceededException.class);
        assertThat(operations).hasSize(4);
        assertThat(operations.get(3)).as("only losers are cancelled").isNotDone();
    }

    @Test
    @DisplayName("HG-3 call and attempt are misuse, and nothing runs")
    void call_withHedge_isMisuse() {
        Guard guard = built(builder().bulkhead(bulkhead("a", 1)).hedge(hedge(1)));
        assertThatThrownBy(() -> guard.call(throwing(FAILED)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("call: on guard 'guard' with a hedge (expected: submit)");
        assertThatThrownBy(() -> guard.attempt(throwing(FAILED))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> guard.call(throwing(FAILED), error -> "fallback"))
                .isInstanceOf(IllegalStateException.class);
        assertThat(events).isEmpty();
        assertThat(guard.stats().calls()).isZero();
    }

    @Test
    @DisplayName("GD-6 ending the stage ends all attempts")
    void cancel_endsAllAttempts() {
        AsyncBulkhead bulkhead = bulkhead("a", 2);
        Guard guard = built(builder().hedge(hedge(1)).bulkhead(bulkhead));
        CompletableFuture<String> future = submit(guard);
        time.advance(millis(10));
        assertThat(bulkhead.inFlight()).isEqualTo(2);
        future.cancel(true);
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(operations).noneMatch(CompletableFuture::isDone);
    }

    @Test
    @DisplayName("RT-5 a budget shared by a retry and the hedge inside of it earns once for each call")
    void budget_sharedWithRetry_earnsOnce() {
        RetryBudget budget = RetryBudget.of(0.5, 0);
        Guard guard = built(builder()
                .retry(Retry.builder().budget(budget).build())
                .hedge(Hedge.builder(millis(10)).budget(budget).build()));
        for (int i = 0; i < 4; i++) {
            submit(guard, () -> CompletableFuture.completedFuture(1));
        }
        assertThat(budget.available()).isEqualTo(2);
    }

    @Test
    void builder_misuse_isRefused() {
        assertThatThrownBy(() -> Hedge.after(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("delay: PT-0.001S (expected: not negative)");
        assertThatThrownBy(() -> Hedge.builder(Duration.ZERO).maxExtra(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxExtra: 0 (expected: >= 1)");
    }
}
