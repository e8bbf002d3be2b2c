package io.tidegate.testkit;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Monotonic nanoseconds that move only by hand, backwards too, and wrap around like the real ones. Thread-safe. */
public final class ManualTicker implements LongSupplier {
    private final AtomicLong nanos = new AtomicLong();

    /** Makes a ticker at 0. */
    public ManualTicker() {}

    @Override
    public long getAsLong() {
        return nanos.get();
    }

    /** Moves the ticker by a span, which may be negative. */
    public void advance(Duration span) {
        nanos.addAndGet(span.toNanos());
    }

    /** Moves the ticker to a reading. */
    public void set(long reading) {
        nanos.set(reading);
    }
}
