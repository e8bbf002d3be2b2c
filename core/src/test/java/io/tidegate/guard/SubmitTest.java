package io.tidegate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.Backoff;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.reading.Figures;
import io.tidegate.retry.Retry;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Operations whose returned future the caller ends. */
class SubmitTest extends GuardTest {
    private final CircuitBreaker breaker = breaker();
    private final CompletableFuture<String> operation = new CompletableFuture<>();

    @Test
    @DisplayName(
            "GD-6 cancelled: permits are back and the breaker is left at once, counting nothing; the operation goes on")
    void cancel_leavesAllAtOnce() {
        AsyncBulkhead bulkhead = bulkhead("a", 1);
        Guard guard = built(builder().breaker(breaker).bulkhead(bulkhead));
        CompletableFuture<String> future = submit(guard, () -> operation);
        assertThat(bulkhead.inFlight()).isOne();
        assertThat(future.cancel(true)).isTrue();
        assertThat(bulkhead.inFlight()).isZero();
        assertThat(breaker.counts().requests()).isZero();
        assertThat(operation).isNotDone();
        operation.completeExceptionally(FAILED);
        assertThat(breaker.counts().requests()).isZero();
        assertThat(guard.stats().cancelled()).isOne();
    }

    @Test
    @DisplayName("GD-6 ended with an error, the breaker judges that; with a value it counts nothing")
    void complete_fromOutside_isJudgedByItsError() {
        Guard guard = built(builder().breaker(breaker));
        submit(guard, () -> operation).completeExceptionally(new TimeoutException());
        assertThat(breaker.counts().totalFailures()).isOne();
        submit(guard, () -> operation).complete("mine");
        submit(guard, () -> operation).completeExceptionally(new OtherRefusal());
        assertThat(breaker.counts().requests()).isOne();
        operation.complete("late");
        assertThat(breaker.counts().requests()).isOne();
        assertThat(Figures.of(guard.stats())).isEqualTo("calls=3 successes=1 failures=1 refusals=1");
    }

    @Test
    @DisplayName("GD-6 a permit that is bound to the operation stays until that ends, inside and outside of a retry")
    void cancel_boundPermit_staysWithTheOperation() {
        AsyncBulkhead outer = bulkhead("outer", 1, PermitLifetime.OPERATION);
        AsyncBulkhead inner = bulkhead("inner", 1, PermitLifetime.OPERATION);
        Guard guard = built(
                builder().bulkhead(outer).retry(Retry.of(2)).bulkhead(inner).bulkhead(bulkhead("c", 1)));
        CompletableFuture<String> future = submit(guard, () -> operation);
        future.cancel(true);
        assertThat(events).containsExactly("+outer", "+inner", "+c", "-c");
        operation.complete("late");
        assertThat(events).endsWith("-inner", "-outer");
    }

    @Test
    @DisplayName("GD-1 with bound permits, too, an operation that ends by itself leaves layers in reverse")
    void end_boundPermits_inReverse() {
        Guard guard = built(builder()
                .bulkhead(bulkhead("a", 1, PermitLifetime.OPERATION))
                .bulkhead(bulkhead("b", 1))
                .retry(Retry.of(2))
                .bulkhead(bulkhead("c", 1, PermitLifetime.OPERATION)));
        CompletableFuture<String> future = submit(guard, () -> operation);
        operation.complete("value");
        assertThat(future).isCompletedWithValue("value");
        assertThat(events).containsExactly("+a", "+b", "+c", "-c", "-b", "-a");
    }

    @Test
    @DisplayName("GD-6 ended during a pause: no further attempt")
    void cancel_duringPause_startsNothing() {
        AtomicInteger attempts = new AtomicInteger();
        Guard guard = built(builder()
                .bulkhead(bulkhead("outer", 1))
                .retry(Retry.builder().backoff(Backoff.fixed(millis(10))).build())
                .bulkhead(bulkhead("inner", 1)));
        CompletableFuture<Object> future = submit(guard, () -> {
            attempts.incrementAndGet();
            return CompletableFuture.failedFuture(FAILED);
        });
        assertThat(events).containsExactly("+outer", "+inner", "-inner");
        future.cancel(false);
        assertThat(events).endsWith("-outer");
        time.advance(Duration.ofHours(1));
        assertThat(attempts).hasValue(1);
    }

    @Test
    @DisplayName("GD-6 what an ended submission leaves behind cannot be ended twice")
    void end_twice_countsOnce() {
        Guard guard = built(builder().breaker(breaker).bulkhead(bulkhead("a", 1)));
        CompletableFuture<String> future = submit(guard, () -> operation);
        operation.complete("value");
        assertThat(future.cancel(false)).isFalse();
        assertThat(future.complete("other")).isFalse();
        assertThat(future).isCompletedWithValue("value");
        assertThat(breaker.counts().totalSuccesses()).isOne();
        CompletableFuture<String> obtruded = submit(guard, () -> new CompletableFuture<>());
        obtruded.obtrudeValue("forced");
        assertThat(obtruded).isCompletedWithValue("forced");
        assertThat(Figures.of(guard.stats())).isEqualTo("calls=2 successes=2");
    }

    @Test
    @DisplayName("GD-6 an operation that was cancelled itself is not counted by a breaker")
    void operation_cancelled_isNotCounted() {
        Guard guard = built(builder().breaker(breaker));
        CompletableFuture<String> future = submit(guard, () -> operation);
        operation.cancel(true);
        assertThat(errorOf(future)).isInstanceOf(CancellationException.class);
        assertThat(breaker.counts().requests()).isZero();
        assertThat(guard.stats().cancelled()).isOne();
    }
}
