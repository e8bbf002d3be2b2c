package io.tidegate.gate;

import org.jspecify.annotations.Nullable;

/** The settings of a retry, as a guard uses them. Nothing here throws: a rule of the user that throws means no. */
public interface RetryPolicy {
    /** What {@link #delayNanos} returns if there is no delay and so no retry. */
    long NO_DELAY = -1;

    /** The most attempts, the first included. */
    int maxAttempts();

    /** Whether an error, without the wrappers that stages put around it, is worth another attempt. */
    boolean retries(Throwable error);

    /** Whether a value is worth another attempt. */
    boolean retriesResult(@Nullable Object value);

    /** How long to wait before a retry, counted from 1; negative if the backoff does not say. */
    long delayNanos(int retry);

    /** The budget; null if there is none. Used to recognise a shared one. */
    @Nullable
    Object budget();

    /** Reports a first attempt to the budget. */
    void onFirst();

    /** Spends one retry of the budget; returns whether there was one. */
    boolean tryRetry();
}
