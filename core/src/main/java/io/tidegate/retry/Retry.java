package io.tidegate.retry;

import io.tidegate.Backoff;
import io.tidegate.Refusal;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Says when a call is retried, how often, and after which pauses. Holds settings only: a guard does the work. May be
 * used in many guards.
 *
 * <p>{@link Error}s, {@link InterruptedException} and {@link CancellationException} are never retried, whatever the
 * rules say.
 */
public interface Retry {
    /** The most attempts unless set, the first included: {@value}. */
    int DEFAULT_MAX_ATTEMPTS = 3;

    /** The ceiling of the first pause unless set, in milliseconds: {@value}. */
    int DEFAULT_FIRST_DELAY_MILLIS = 100;

    /** The highest ceiling of a pause unless set, in seconds: {@value}. */
    int DEFAULT_MAX_DELAY_SECONDS = 10;

    /**
     * Makes at most this many attempts, with the other settings at their defaults.
     *
     * @param maxAttempts the first included
     * @throws IllegalArgumentException if that is less than 1
     */
    static Retry of(int maxAttempts) {
        return builder().maxAttempts(maxAttempts).build();
    }

    /** Returns a builder of a retry. */
    static Builder builder() {
        return new RetryBuilder();
    }

    /** Returns the most attempts, the first included. */
    int maxAttempts();

    /** Settings of a retry. Each is checked when it is given. Not thread-safe. */
    interface Builder {
        /** The most attempts, the first included; at least 1. Default: {@value Retry#DEFAULT_MAX_ATTEMPTS}. */
        Builder maxAttempts(int attempts);

        /**
         * How long to wait before each retry. Default: {@link Backoff#exponential}, {@value
         * Retry#DEFAULT_FIRST_DELAY_MILLIS} ms to {@value Retry#DEFAULT_MAX_DELAY_SECONDS} s. One that throws, or
         * answers with null or a negative {@link Duration}, means: no retry.
         */
        Builder backoff(Backoff backoff);

        /**
         * Says which errors are worth another attempt. Gets the error without the {@link
         * java.util.concurrent.CompletionException} and {@link java.util.concurrent.ExecutionException} around it.
         * Default: every {@link Exception} that is not a {@link Refusal}. The pause before the retry of a refusal, or
         * of an {@link io.tidegate.Overload}, is at least its {@code retryAfter}. A rule that throws means no.
         */
        Builder retryOn(Predicate<? super Throwable> rule);

        /**
         * Says which values, {@code null} included, are worth another attempt. Default: none. A rule that throws means
         * no.
         */
        Builder retryOnResult(Predicate<@Nullable Object> rule);

        /** Bounds retries to a share of first attempts. Default: none. */
        Builder budget(RetryBudget budget);

        /** Returns the retry. */
        Retry build();
    }
}
