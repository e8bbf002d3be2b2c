package io.tidegate.micrometer;

import static java.util.Objects.requireNonNull;

import io.tidegate.Part;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A part and its last reading.
 *
 * <p>A thread that finds the last reading too old reads the part, with nothing held, and replaces the reading that it
 * found. If another thread was faster, that thread's reading counts: so each reading begins after the one before it has
 * ended, and no count is ever seen to fall.
 */
final class ObservedPart {
    private static final Logger LOG = System.getLogger(TidegateMetrics.class.getName());
    private static final long SHARED_NANOS =
            Duration.ofMillis(TidegateMetrics.SHARED_MILLIS).toNanos();

    final String kind;
    final String name;
    final Map<String, String> tags;
    private final LongSupplier ticker;
    private final Consumer<ObservedPart> onOtherSeries;
    private final AtomicReference<Snapshot> last;
    private volatile @Nullable Part part;

    ObservedPart(Part part, Map<String, String> tags, LongSupplier ticker, Consumer<ObservedPart> onOtherSeries) {
        this.part = part;
        this.kind = part.kind();
        this.name = part.name();
        this.tags = tags;
        this.ticker = ticker;
        this.onOtherSeries = onOtherSeries;
        this.last = new AtomicReference<>(Snapshot.none(ticker.getAsLong() - SHARED_NANOS));
    }

    /** Returns the last reading. */
    Snapshot last() {
        return requireNonNull(last.get());
    }

    /** Returns the last reading, or a new one if that is too old. */
    @SuppressWarnings("ReferenceEquality") // equal sets are the very same set
    Snapshot current() {
        Snapshot before = last();
        Part present = part;
        long now = ticker.getAsLong();
        long age = now - before.at();
        if (present == null || (age >= 0 && age < SHARED_NANOS)) {
            return before;
        }
        Snapshot after;
        try {
            after = Snapshot.read(present, now, before);
        } catch (Throwable failure) {
            after = before.failed(now);
            if (!before.failed()) {
                LOG.log(Level.WARNING, kind + " '" + name + "' cannot be read", failure);
            }
        }
        if (!last.compareAndSet(before, after)) {
            return last();
        }
        if (after.series() != before.series()) {
            onOtherSeries.accept(this);
        }
        return after;
    }

    /** Releases the part, even if something still has one of its meters. */
    void forget() {
        part = null;
    }
}
