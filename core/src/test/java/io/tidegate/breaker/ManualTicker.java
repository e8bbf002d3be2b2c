package io.tidegate.breaker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Nanoseconds that only the test moves, also backwards, and that wrap like those of {@code System.nanoTime()}. */
final class ManualTicker implements LongSupplier {
    private final AtomicLong now = new AtomicLong();
    private volatile @Nullable Throwable broken;

    @Override
    public long getAsLong() {
        Throwable thrown = broken;
        if (thrown != null) {
            throw BreakerTest.sneaky(thrown);
        }
        return now.get();
    }

    /** Makes the ticker throw, until it is mended. */
    void breakWith(Throwable thrown) {
        broken = thrown;
    }

    /** Returns the time, even while the ticker throws. */
    long stoppedAt() {
        return now.get();
    }

    void mend() {
        broken = null;
    }

    void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }

    void set(long nanos) {
        now.set(nanos);
    }
}
