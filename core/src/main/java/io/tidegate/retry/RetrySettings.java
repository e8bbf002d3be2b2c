package io.tidegate.retry;

import io.tidegate.Backoff;
import io.tidegate.gate.RetryPolicy;
import io.tidegate.stage.Stages;
import io.tidegate.time.Nanos;
import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The settings of a retry. A rule or backoff that throws means: no retry. */
record RetrySettings(
        int maxAttempts,
        Backoff backoff,
        Predicate<? super Throwable> retryOn,
        @Nullable Predicate<@Nullable Object> retryOnResult,
        @Nullable RetryBudget budget)
        implements Retry, RetryPolicy {
    @Override
    public boolean retries(Throwable error) {
        try {
            return retryOn.test(error);
        } catch (Throwable thrown) {
            Stages.keepInterrupt(thrown);
            return false;
        }
    }

    @Override
    public boolean retriesResult(@Nullable Object value) {
        try {
            return retryOnResult != null && retryOnResult.test(value);
        } catch (Throwable thrown) {
            Stages.keepInterrupt(thrown);
            return false;
        }
    }

    @Override
    public long delayNanos(int retry) {
        try {
            Duration delay = backoff.delay(retry);
            return delay.isNegative() ? NO_DELAY : Nanos.of(delay);
        } catch (Throwable thrown) {
            Stages.keepInterrupt(thrown);
            return NO_DELAY;
        }
    }

    @Override
    public void onFirst() {
        reportFirst(budget);
    }

    @Override
    public boolean tryRetry() {
        return trySpend(budget);
    }

    static void reportFirst(@Nullable RetryBudget budget) {
        if (budget != null) {
            try {
                budget.onFirst();
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
    }

    static boolean trySpend(@Nullable RetryBudget budget) {
        try {
            return budget == null || budget.tryRetry();
        } catch (Throwable thrown) {
            Stages.keepInterrupt(thrown);
            return false;
        }
    }
}
