package io.tidegate.console;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Allows a burst of requests at once, and then a fixed number a second. */
final class TokenBucket {
    private final long burstNanos;
    private final long eachNanos;
    private final LongSupplier ticker;
    private long freeAt;

    TokenBucket(int burst, int aSecond, LongSupplier ticker) {
        this.eachNanos = TimeUnit.SECONDS.toNanos(1) / aSecond;
        this.burstNanos = eachNanos * burst;
        this.ticker = ticker;
        this.freeAt = ticker.getAsLong() - burstNanos;
    }

    /** Takes a token and returns 0, or returns after how many seconds there will be one. */
    synchronized int take() {
        long now = ticker.getAsLong();
        if (now - freeAt > burstNanos) {
            freeAt = now - burstNanos;
        }
        long left = freeAt + eachNanos - now;
        if (left > 0) {
            return (int) (left / TimeUnit.SECONDS.toNanos(1)) + 1;
        }
        freeAt += eachNanos;
        return 0;
    }
}
