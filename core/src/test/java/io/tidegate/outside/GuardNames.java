package io.tidegate.outside;

import io.tidegate.Backoff;
import io.tidegate.Idle;
import io.tidegate.PerKey;
import io.tidegate.Refusal;
import io.tidegate.TooManyKeysException;
import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.breaker.CallNotPermittedException;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.BulkheadListener;
import io.tidegate.bulkhead.BulkheadRejectedException;
import io.tidegate.bulkhead.PermitLifetime;
import io.tidegate.guard.Guard;
import io.tidegate.guard.GuardListener;
import io.tidegate.guard.GuardStats;
import io.tidegate.guard.Outcome;
import io.tidegate.guard.TimeLimitExceededException;
import io.tidegate.rate.RateLimitedException;
import io.tidegate.rate.RateLimiter;
import io.tidegate.rate.RateLimiterStats;
import io.tidegate.remote.BulkheadException;
import io.tidegate.remote.RemoteBulkheadClient;
import io.tidegate.remote.RemoteCapability;
import io.tidegate.retry.Hedge;
import io.tidegate.retry.Retry;
import io.tidegate.retry.RetryBudget;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A program that uses guards and the parts around them. */
abstract class GuardNames {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Predicate<Object> NEVER = anything -> false;
    private static final LongSupplier TICKER = System::nanoTime;

    static final class Deaf implements GuardListener {}

    static final class Hearing implements GuardListener {
        @Override
        public void onRefused(Refusal refusal) {}

        @Override
        public void onRetry(int attempt, @Nullable Throwable causeOrNull, Duration delay) {}

        @Override
        public void onHedge(int attempt) {}

        @Override
        public void onEnd(Outcome<?> outcome, long nanos) {}
    }

    /** A refusal of the program's own. */
    static final class Closed extends RuntimeException implements Refusal {
        private static final long serialVersionUID = 1L;

        @Override
        public String code() {
            return "SHOP_CLOSED";
        }

        @Override
        public String source() {
            return "shop";
        }

        @Override
        public Duration retryAfter() {
            return SECOND;
        }
    }

    Optional<Refusal> refusals(
            BulkheadRejectedException full,
            CallNotPermittedException open,
            BulkheadException remote,
            RateLimitedException fast,
            TooManyKeysException many) {
        List<Refusal> all = List.of(full, open, remote, fast, many, new Closed());
        RuntimeException thrown = all.isEmpty() ? fast : many;
        return Refusal.in(thrown).filter(all::contains);
    }

    Duration delays() {
        Backoff backoff = (int retry) -> SECOND.multipliedBy(retry);
        backoff = Backoff.none();
        backoff = Backoff.fixed(SECOND);
        backoff = Backoff.exponential(SECOND, SECOND.multipliedBy(10));
        return backoff.delay(1);
    }

    Guard make(AsyncBulkhead bulkhead, RemoteBulkheadClient client, RemoteCapability capability) {
        Guard.Builder builder = Guard.builder("a")
                .timeLimit(SECOND)
                .retry(Retry.of(3))
                .hedge(Hedge.after(SECOND))
                .rateLimit(RateLimiter.of(5, SECOND))
                .breaker(CircuitBreaker.of("a"))
                .bulkhead(bulkhead)
                .bulkhead(client, capability)
                .listener(new Deaf())
                .listener(new Hearing());
        return builder.build();
    }

    CompletionStage<Number> call(Callable<Integer> call, Supplier<CompletableFuture<Number>> operation)
            throws Exception {
        Guard guard = Guard.standard("a");
        Function<Object, Integer> fallback = thrown -> 5;
        Number value = guard.<Number>call(call);
        Number other = guard.<Number>call(call, fallback);
        Number third = guard.call(call, (Throwable thrown) -> 6);
        Outcome<Number> outcome = guard.attempt(call);
        CompletionStage<Number> stage = guard.submit(operation);
        return stage.thenApply(number -> list(value, other, third, read(outcome), number, guard.name(), guard.stats()));
    }

    private static Number list(Object... all) {
        return all.length;
    }

    void needsNoException(Guard guard, Callable<Integer> call) throws InterruptedException {
        guard.<Integer>call(call, thrown -> 5);
        guard.attempt(call);
    }

    private static <T> String read(Outcome<T> outcome) {
        if (outcome instanceof Outcome.Success<T> success) {
            T value = success.value();
            return "" + new Outcome.Success<>(value);
        } else if (outcome instanceof Outcome.Failure<T> failure) {
            Throwable error = failure.error();
            return "" + new Outcome.Failure<T>(error);
        } else if (outcome instanceof Outcome.Refused<T> refused) {
            Refusal refusal = refused.refusal();
            return "" + new Outcome.Refused<T>(refusal);
        }
        return "";
    }

    long stats(GuardStats stats) {
        long calls = stats.calls();
        long ends = stats.successes() + stats.failures() + stats.refusals() + stats.timeouts() + stats.cancelled();
        long retries = stats.retries();
        long hedges = stats.hedges();
        int inFlight = stats.inFlight();
        GuardStats made = new GuardStats(8L, 1L, 1L, 1L, 1L, 1L, 1L, 1L, 3);
        return calls + ends + retries + hedges + inFlight + made.calls();
    }

    Duration late(TimeLimitExceededException late) {
        TimeoutException thrown = late;
        String source = late.source();
        String code = late.code();
        Duration limit = late.limit();
        return thrown.getMessage().contains(source + code) ? limit : SECOND;
    }

    int retries(RetryBudget shared) {
        Retry.Builder builder = Retry.builder()
                .maxAttempts(3)
                .backoff(Backoff.none())
                .retryOn(NEVER)
                .retryOn((Throwable thrown) -> thrown instanceof IOException)
                .retryOnResult(NEVER)
                .budget(shared);
        return builder.build().maxAttempts();
    }

    double budget() {
        RetryBudget budget = RetryBudget.of(0.2, 10);
        budget = RetryBudget.of(0.2, 10, SECOND, TICKER);
        budget.onFirst();
        boolean granted = budget.tryRetry();
        double available = budget.available();
        return granted ? available : 0;
    }

    Hedge hedge(RetryBudget shared) {
        Hedge.Builder builder = Hedge.builder(SECOND).maxExtra(2).budget(shared);
        return builder.build();
    }

    CompletionStage<Number> rates(ScheduledExecutorService scheduler, Supplier<CompletableFuture<Number>> operation) {
        RateLimiter.Builder builder = RateLimiter.builder(5L, SECOND)
                .name("mails")
                .burst(10L)
                .maxWait(SECOND)
                .ticker(TICKER)
                .scheduler(scheduler);
        RateLimiter limiter = builder.build();
        boolean one = limiter.tryAcquire();
        boolean three = limiter.tryAcquire(3L);
        long nanos = limiter.nanosUntil(2L);
        limiter.setRate(6L, SECOND);
        RateLimiterStats stats = limiter.stats();
        long sum = nanos
                + stats.admitted()
                + stats.refused()
                + stats.waiting()
                + new RateLimiterStats(1L, 2L, 3L).admitted();
        CompletionStage<Number> stage = limiter.submit(operation);
        return stage.thenApply(
                number -> one && three ? number : sum + limiter.name().length());
    }

    List<AsyncBulkhead> adaptive(BulkheadListener listener, IntConsumer limits) {
        AdaptiveLimit.Builder builder = AdaptiveLimit.gradient()
                .initial(20)
                .min(1)
                .max(1_000)
                .name("a")
                .isOverload(NEVER)
                .isOverload((Throwable thrown) -> thrown instanceof TimeoutException)
                .onLimitChange(limits)
                .listener(listener)
                .permitLifetime(PermitLifetime.OPERATION)
                .ticker(TICKER);
        return List.of(builder.build(), AdaptiveLimit.aimd().build());
    }

    Idle perKey(BiConsumer<Object, Object> each) {
        Function<Object, CircuitBreaker> make = key -> CircuitBreaker.of("breaker of " + key);
        PerKey<String, CircuitBreaker> breakers = PerKey.<String, CircuitBreaker>builder(make)
                .name("hosts")
                .maxKeys(100)
                .idleAfter(SECOND)
                .ticker(TICKER)
                .build();
        CircuitBreaker breaker = breakers.get("a");
        breakers.forEach(each);
        int size = breakers.size();
        return () -> size == 0 && breaker.name().isEmpty();
    }
}
