package io.tidegate.remote;

/**
 * Estimates how long to wait before a retry, from how long permits were held recently. The bulkhead's lock guards it.
 */
final class RetryEstimate {
    private static final double NOTHING_YET = -1;
    private static final int SPAN = 16; // about so many permits count, the latest ones

    private final long firstMs;
    private double heldMs = NOTHING_YET;

    /** @param firstMs the estimate before any permit has come back */
    RetryEstimate(long firstMs) {
        this.firstMs = firstMs;
    }

    void held(long ms) {
        heldMs = heldMs == NOTHING_YET ? ms : heldMs + (ms - heldMs) / SPAN;
    }

    /** Returns how long a permit is held. */
    long holdMs() {
        return Math.max(1, heldMs == NOTHING_YET ? firstMs : Math.round(heldMs));
    }

    /** Returns how long it takes until so many requests ahead have had a permit, under this cap. */
    long retryAfterMs(long ahead, int cap) {
        long rounds = 1 + ahead / Math.max(1, cap);
        long holdMs = holdMs();
        return holdMs > Long.MAX_VALUE / rounds ? Long.MAX_VALUE : holdMs * rounds;
    }
}
