package io.tidegate.retry;

import static java.util.Objects.requireNonNull;

import io.tidegate.time.Nanos;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Bounds retries and hedges to a share of first attempts, so that they cannot multiply the load on a failing callee.
 * May be shared by many guards. Within a window each first attempt earns a fraction of a retry, and a few more are
 * granted every second:
 *
 * <pre>{@code retries <= ratio * first attempts + minPerSecond * (time + 1 s)}</pre>
 *
 * <p>Retries that are not used within the window expire. Safe for use by many threads; takes no lock.
 */
public interface RetryBudget {
    /** The window unless set, in seconds: {@value}. */
    int DEFAULT_WINDOW_SECONDS = 10;

    /**
     * Returns a budget with the default window.
     *
     * @param ratio how many retries each first attempt earns
     * @param minPerSecond how many more retries are granted every second
     * @throws IllegalArgumentException if one of them is negative or not finite
     */
    static RetryBudget of(double ratio, double minPerSecond) {
        return of(ratio, minPerSecond, Duration.ofSeconds(DEFAULT_WINDOW_SECONDS), System::nanoTime);
    }

    /**
     * Returns a budget.
     *
     * @param window how long an earned retry can be used
     * @param ticker where monotonic nanoseconds come from
     * @throws IllegalArgumentException if a number is negative or not finite, or the window not positive
     */
    static RetryBudget of(double ratio, double minPerSecond, Duration window, LongSupplier ticker) {
        return new WindowedBudget(
                requireAmount("ratio", ratio),
                requireAmount("minPerSecond", minPerSecond),
                requireWindow(window),
                requireNonNull(ticker, "ticker"));
    }

    private static double requireAmount(String name, double value) {
        if (!(value >= 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: finite, >= 0)");
        }
        return value;
    }

    private static long requireWindow(Duration window) {
        if (requireNonNull(window, "window").compareTo(Duration.ZERO) <= 0) {
            throw new IllegalArgumentException("window: " + window + " (expected: positive)");
        }
        return Nanos.of(window);
    }

    /** Returns how many retries could be made now; not a whole number. */
    double available();

    /** A first attempt was made. */
    void onFirst();

    /** Spends one retry, if there is one; returns whether there was. */
    boolean tryRetry();
}
