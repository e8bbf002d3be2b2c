package io.tidegate.remote;

import java.util.Map;
import java.util.TreeMap;

/** Counts the rejected requests by reason, without creating objects. Not thread-safe. */
final class Rejections {
    /** Room for more reasons than there are. */
    private static final int REASONS = 16;

    private final String[] reasons = new String[REASONS];
    private final long[] counts = new long[REASONS];
    private int known;

    void count(String reason) {
        int i = 0;
        while (i < known && !reasons[i].equals(reason)) {
            i++;
        }
        if (i == known) {
            reasons[known++] = reason;
        }
        counts[i]++;
    }

    Map<String, Long> byReason() {
        Map<String, Long> byReason = new TreeMap<>();
        for (int i = 0; i < known; i++) {
            byReason.put(reasons[i], counts[i]);
        }
        return byReason;
    }
}
