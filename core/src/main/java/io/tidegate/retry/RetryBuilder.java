package io.tidegate.retry;

import static java.util.Objects.requireNonNull;

import io.tidegate.Backoff;
import io.tidegate.Refusal;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

final class RetryBuilder implements Retry.Builder {
    private int maxAttempts = Retry.DEFAULT_MAX_ATTEMPTS;
    private Backoff backoff = Backoff.exponential(
            Duration.ofMillis(Retry.DEFAULT_FIRST_DELAY_MILLIS), Duration.ofSeconds(Retry.DEFAULT_MAX_DELAY_SECONDS));
    private Predicate<? super Throwable> retryOn = RetryBuilder::isOrdinary;
    private @Nullable Predicate<@Nullable Object> retryOnResult;
    private @Nullable RetryBudget budget;

    private static boolean isOrdinary(Throwable error) {
        return error instanceof Exception && Refusal.in(error).isEmpty();
    }

    @Override
    public Retry.Builder maxAttempts(int attempts) {
        if (attempts < 1) {
            throw new IllegalArgumentException("maxAttempts: " + attempts + " (expected: >= 1)");
        }
        this.maxAttempts = attempts;
        return this;
    }

    @Override
    public Retry.Builder backoff(Backoff backoff) {
        this.backoff = requireNonNull(backoff, "backoff");
        return this;
    }

    @Override
    public Retry.Builder retryOn(Predicate<? super Throwable> rule) {
        this.retryOn = requireNonNull(rule, "rule");
        return this;
    }

    @Override
    public Retry.Builder retryOnResult(Predicate<@Nullable Object> rule) {
        this.retryOnResult = requireNonNull(rule, "rule");
        return this;
    }

    @Override
    public Retry.Builder budget(RetryBudget budget) {
        this.budget = requireNonNull(budget, "budget");
        return this;
    }

    @Override
    public Retry build() {
        return new RetrySettings(maxAttempts, backoff, retryOn, retryOnResult, budget);
    }
}
