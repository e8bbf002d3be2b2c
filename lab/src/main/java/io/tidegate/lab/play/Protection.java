package io.tidegate.lab.play;

import java.util.Locale;

/** The layers that can be put around a call, in this order, the first one outermost. */
enum Protection {
    RETRY("Retry", "Up to three attempts, with short pauses."),
    BUDGET("Retry budget", "Retries are at most a fifth of the calls, and two a second. Needs Retry."),
    RATE_LIMIT("Rate limit", "40 calls a second, 10 at once."),
    BREAKER("Circuit breaker", "Opens when more than half of the calls of two seconds fail."),
    ADAPTIVE("Adaptive limit", "A bulkhead that finds its limit by itself."),
    BULKHEAD("Bulkhead", "As many calls at once as the capacity was when you switched it on."),
    TIME_LIMIT("Time limit", "An attempt ends after 300 ms.");

    private final String label;
    private final String hint;

    Protection(String label, String hint) {
        this.label = label;
        this.hint = hint;
    }

    /** Returns its name in requests. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    String label() {
        return label;
    }

    String hint() {
        return hint;
    }
}
