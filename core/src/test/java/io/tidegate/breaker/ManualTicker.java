package io.tidegate.breaker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Monotonic nanoseconds that move only by hand, backwards too, and wrap like the real ones. */
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

    /** Throws instead of telling the time, until it is mended. */
    void breakWith(Throwable thrown) {
        broken = thrown;
    }

    /** The time, broken or not. */
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
