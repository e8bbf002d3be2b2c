package io.tidegate.breaker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Monotonic nanoseconds that move only by hand, backwards too, and wrap like the real ones. */
final class ManualTicker implements LongSupplier {
    private final AtomicLong now = new AtomicLong();

    @Override
    public long getAsLong() {
        return now.get();
    }

    void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }

    void set(long nanos) {
        now.set(nanos);
    }
}
