package io.tidegate.lab.load;

import io.tidegate.breaker.CallNotPermittedException;
import io.tidegate.bulkhead.BulkheadRejectedException;
import io.tidegate.remote.BulkheadException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Counts what became of the calls of one run: each is exactly one of the four kinds. Thread-safe. */
public final class Outcomes {
    private static final int SIGNIFICANT_DIGITS = 3;

    /** How a call ended. */
    public enum Kind {
        /** Answered while the caller was still waiting. */
        IN_TIME,
        /** Not answered while the caller was still waiting. */
        LATE,
        /** Refused by the part that the scene shows. */
        REFUSED,
        /** Ended by any other error. */
        FAILED
    }

    private final Duration patience;
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final int[] inTimeBySecond;
    private final Histogram waits = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram refusals = new Histogram(SIGNIFICANT_DIGITS);
    private final Histogram errors = new Histogram(SIGNIFICANT_DIGITS);
    private final Map<String, Long> codes = new TreeMap<>();
    private final Histogram retriesMs = new Histogram(SIGNIFICANT_DIGITS);
    private Duration inErrors = Duration.ZERO;

    /**
     * Starts with nothing counted.
     *
     * @param patience how long a caller waits
     * @param seconds how many seconds the run has
     */
    public Outcomes(Duration patience, int seconds) {
        this.patience = patience;
        this.inTimeBySecond = new int[seconds];
    }

    /**
     * Counts one call.
     *
     * @param second the second of the run in which it was due
     * @param latencyNanos the time from when it was due to its end
     * @param error what it ended with, {@code null} for an answer
     */
    public synchronized Kind record(int second, long latencyNanos, @Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException ? error.getCause() : error;
        Kind kind = kindOf(latencyNanos, cause);
        counts.merge(kind, 1L, Long::sum);
        switch (kind) {
            case IN_TIME -> {
                inTimeBySecond[second]++;
                waits.recordValue(latencyNanos);
            }
            case LATE -> waits.recordValue(latencyNanos);
            case REFUSED -> refusals.recordValue(latencyNanos);
            case FAILED -> {}
        }
        if (kind != Kind.IN_TIME) {
            errors.recordValue(latencyNanos);
            inErrors = inErrors.plusNanos(latencyNanos);
        }
        if (cause instanceof BulkheadException refusal) {
            codes.merge(refusal.code(), 1L, Long::sum);
            refusal.retryAfterMs().ifPresent(retriesMs::recordValue);
        }
        return kind;
    }

    private Kind kindOf(long latencyNanos, @Nullable Throwable cause) {
        if (cause == null) {
            return latencyNanos <= patience.toNanos() ? Kind.IN_TIME : Kind.LATE;
        }
        if (cause instanceof TimeoutException) {
            return Kind.LATE;
        }
        boolean refused = cause instanceof BulkheadRejectedException
                || cause instanceof CallNotPermittedException
                || cause instanceof BulkheadException
                || cause instanceof RejectedExecutionException;
        return refused ? Kind.REFUSED : Kind.FAILED;
    }

    public synchronized long count(Kind kind) {
        return counts.getOrDefault(kind, 0L);
    }

    /** Returns how many of the calls due in each second were answered in time. */
    public synchronized int[] inTimeBySecond() {
        return inTimeBySecond.clone();
    }

    /** Returns a percentile of the time until an answer, or until the caller gave up. */
    public synchronized Duration waitAt(double percentile) {
        return Duration.ofNanos(waits.getValueAtPercentile(percentile));
    }

    /** Returns a percentile of the time until a refusal. */
    public synchronized Duration refusalAt(double percentile) {
        return Duration.ofNanos(refusals.getValueAtPercentile(percentile));
    }

    /** Returns a percentile of the time until any error: a time-out, a refusal or a failure. */
    public synchronized Duration errorAt(double percentile) {
        return Duration.ofNanos(errors.getValueAtPercentile(percentile));
    }

    /** Returns how long all callers together waited for errors. */
    public synchronized Duration waitedForErrors() {
        return inErrors;
    }

    /** Returns the codes that a remote bulkhead has refused with. */
    public synchronized Set<String> codes() {
        return new TreeSet<>(codes.keySet());
    }

    /** Returns how many calls a remote bulkhead has refused with a code. */
    public synchronized long refusedWith(String code) {
        return codes.getOrDefault(code, 0L);
    }

    /** Returns how many refusals had a retry-after. */
    public synchronized long withRetryAfter() {
        return retriesMs.getTotalCount();
    }

    /** Returns a percentile of these retry-after times. */
    public synchronized Duration retryAfterAt(double percentile) {
        return Duration.ofMillis(retriesMs.getValueAtPercentile(percentile));
    }
}
