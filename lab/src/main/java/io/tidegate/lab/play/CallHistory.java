package io.tidegate.lab.play;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What became of the calls of a script, by the second in which each was made. Thread-safe. */
final class CallHistory {
    /**
     * The figures of a second.
     *
     * @param goodput calls answered while their caller waited
     * @param refused calls refused
     * @param late calls given up
     * @param failed calls that ended with another error
     * @param p99Millis the p99 of the calls that were not refused; 0 without any
     * @param allocated bytes, in the whole process
     */
    record Second(int goodput, int refused, int late, int failed, double p99Millis, long allocated) {}

    private final int[] goodput;
    private final int[] refused;
    private final int[] late;
    private final int[] failed;
    private final long[] allocated;
    private final List<List<Long>> waits = new ArrayList<>();
    private final List<Long> allWaits = new ArrayList<>();

    CallHistory(int seconds) {
        goodput = new int[seconds];
        refused = new int[seconds];
        late = new int[seconds];
        failed = new int[seconds];
        allocated = new long[seconds];
        for (int second = 0; second < seconds; second++) {
            waits.add(new ArrayList<>());
        }
    }

    synchronized void ended(int second, long waitedNanos, @Nullable Throwable error, Contender of) {
        Throwable cause = error instanceof CompletionException ? error.getCause() : error;
        if (cause != null && of.isRefusal().test(cause)) {
            refused[second]++;
            return;
        }
        if (cause == null) {
            goodput[second]++;
        } else if (cause instanceof TimeoutException) {
            late[second]++;
        } else {
            failed[second]++;
        }
        waits.get(second).add(waitedNanos);
        allWaits.add(waitedNanos);
    }

    synchronized void allocated(int second, long bytes) {
        allocated[second] = bytes;
    }

    synchronized List<Second> seconds() {
        List<Second> seconds = new ArrayList<>();
        for (int second = 0; second < goodput.length; second++) {
            seconds.add(new Second(
                    goodput[second],
                    refused[second],
                    late[second],
                    failed[second],
                    p99(waits.get(second)),
                    allocated[second]));
        }
        return seconds;
    }

    /** Returns the figures of all seconds together. */
    synchronized Second total() {
        List<Second> seconds = seconds();
        return new Second(
                seconds.stream().mapToInt(Second::goodput).sum(),
                seconds.stream().mapToInt(Second::refused).sum(),
                seconds.stream().mapToInt(Second::late).sum(),
                seconds.stream().mapToInt(Second::failed).sum(),
                p99(allWaits),
                seconds.stream().mapToLong(Second::allocated).sum());
    }

    private static double p99(List<Long> waits) {
        if (waits.isEmpty()) {
            return 0;
        }
        List<Long> sorted = new ArrayList<>(waits);
        Collections.sort(sorted);
        return sorted.get((int) Math.ceil(0.99 * sorted.size()) - 1) / 1e6;
    }
}
