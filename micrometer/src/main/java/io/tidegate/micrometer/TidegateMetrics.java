package io.tidegate.micrometer;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.tidegate.Part;
import io.tidegate.Registry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Shows all measures of all parts of a {@link Registry} in meter registries of Micrometer, including parts added later,
 * until the part is removed.
 *
 * <pre>{@code
 * new TidegateMetrics(registry).bindTo(meterRegistry);
 * }</pre>
 *
 * <p>A measure is called {@code tidegate.<kind>.<measure>} and has a tag {@code name}, the tags with which the part was
 * added to the registry, and the measure's own. All series of a name have the same tag keys, with the value {@code
 * none} where a part or a series has no such tag. If two tags have one key, the measure's own wins, and {@code name} is
 * always that of the part.
 *
 * <ul>
 *   <li>a gauge is a {@link io.micrometer.core.instrument.Gauge};
 *   <li>a count is a {@link io.micrometer.core.instrument.FunctionCounter};
 *   <li>a time is a {@link io.micrometer.core.instrument.FunctionTimer} of count and total, and three {@link
 *       io.micrometer.core.instrument.TimeGauge}s, whose names end in {@code .p50}, {@code .p99} and {@code .max};
 *   <li>a state is a gauge for each state that was seen, with a tag {@code state}: 1 for the present one, else 0.
 * </ul>
 *
 * <p><b>One reading serves one scrape.</b> A part is read when one of its meters is read and the last reading is older
 * than {@value #SHARED_MILLIS} ms. All meters of the part, in all meter registries, show that reading, of one instant.
 * Nothing is read between scrapes, and no thread is started.
 *
 * <p>Series that are new in a reading get their meters at once and are shown by the next scrape at the latest; meters
 * of series that are missing in it are removed. If a part cannot be read, its gauges are {@code NaN} and its counts
 * keep their values until it can, and other parts are not affected. A part that has reported nothing yet is read again
 * when another one is read, or when the registry changes.
 *
 * <p>Safe for use by many threads. No thread waits for another: while one thread adds and removes meters, it also
 * handles the changes of others, perhaps just after their call has returned. The registry references this object, and
 * this object the meter registries until they are closed; a part that was removed is not kept. Two registries that have
 * a part of the same kind and name need two meter registries.
 */
public final class TidegateMetrics implements MeterBinder, AutoCloseable {
    /** How long a reading of a part is shared, in milliseconds: {@value}. */
    public static final long SHARED_MILLIS = 500;

    private final Registry registry;
    private final LongSupplier ticker;
    private final Runnable onChange = this::lookAgain;
    private final Map<MeterRegistry, Binding> bindings = new ConcurrentHashMap<>();
    private boolean listening;
    private volatile boolean closed;
    private volatile boolean partsChanged;

    /*
     * Settling creates the meters of the current parts and of what they reported last, and removes all others. One
     * thread at a time does it, with nothing held: a meter registry calls listeners, and may ask meters, while meters
     * are added to it. A thread that comes meanwhile leaves a note by raising the number, and the thread that settles
     * looks again until there is none.
     */
    private final AtomicInteger unsettled = new AtomicInteger();

    /* Parts that reported other series than before, for the thread that settles: it checks only these. */
    private final Queue<ObservedPart> otherSeries = new ConcurrentLinkedQueue<>();

    /* These belong to the thread that settles. */
    private final IdentityHashMap<Part, ObservedPart> observed = new IdentityHashMap<>();
    private final Map<ObservedPart, Set<Series>> reported = new HashMap<>();
    private final TagKeys keys = new TagKeys();

    /* Parts without a meter, which nothing would read otherwise. */
    private volatile List<ObservedPart> silent = List.of();

    /** Shows the parts of this registry. */
    public TidegateMetrics(Registry registry) {
        this(registry, System::nanoTime);
    }

    TidegateMetrics(Registry registry, LongSupplier ticker) {
        this.registry = requireNonNull(registry, "registry");
        this.ticker = ticker;
    }

    /**
     * Adds the meters to a meter registry. Can be called for several registries; a second call for the same one changes
     * nothing.
     *
     * @throws IllegalStateException if this object is closed
     */
    @Override
    public void bindTo(MeterRegistry meterRegistry) {
        requireNonNull(meterRegistry, "meterRegistry");
        synchronized (bindings) {
            if (closed) {
                throw new IllegalStateException("closed (expected: open)");
            }
            if (!listening) {
                listening = true;
                registry.onChange(onChange);
            }
            bindings.computeIfAbsent(meterRegistry, to -> new Binding(to, this::ask));
        }
        lookAgain();
    }

    /** Removes all meters and drops the registries. A second call changes nothing. */
    @Override
    public void close() {
        synchronized (bindings) {
            closed = true;
            registry.removeListener(onChange);
        }
        lookAgain();
    }

    private double ask(ObservedPart part, Series series, int index) {
        long before = part.last().at();
        Snapshot now = part.current();
        if (now.at() != before) {
            silent.forEach(ObservedPart::current);
        }
        return now.value(series, index);
    }

    private void lookAgain() {
        partsChanged = true;
        settle();
    }

    private void settle(ObservedPart other) {
        otherSeries.add(other);
        settle();
    }

    private void settle() {
        if (unsettled.getAndIncrement() > 0) {
            return;
        }
        int seen;
        do {
            seen = unsettled.get();
            try {
                settleOnce();
            } catch (Throwable failure) {
                unsettled.set(0);
                throw failure;
            }
        } while (!unsettled.compareAndSet(seen, 0));
    }

    private void settleOnce() {
        boolean closing = closed;
        boolean otherParts = partsChanged || closing;
        List<ObservedPart> gone = new ArrayList<>();
        if (otherParts) {
            partsChanged = false;
            observe(closing ? List.of() : registry.parts(), gone);
        }
        Map<ObservedPart, Set<Series>> changed = lookAtOtherSeries();
        bindings.keySet().removeIf(MeterRegistry::isClosed);
        bindings.values().forEach(binding -> binding.settle(gone, binding.isEmpty() ? reported : changed, keys));
        if (otherParts || !changed.isEmpty()) {
            silent = reported.entrySet().stream()
                    .filter(part -> part.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .toList();
        }
        if (closing) {
            bindings.clear();
        }
    }

    private void observe(List<Part> parts, List<ObservedPart> gone) {
        Set<Part> present = Collections.newSetFromMap(new IdentityHashMap<>());
        present.addAll(parts);
        observed.entrySet().removeIf(entry -> {
            ObservedPart part = entry.getValue();
            boolean stays = present.contains(entry.getKey()) && part.tags.equals(registry.tags(entry.getKey()));
            if (!stays) {
                part.forget();
                reported.remove(part);
                gone.add(part);
            }
            return !stays;
        });
        for (Part part : parts) {
            if (!observed.containsKey(part)) {
                ObservedPart added = new ObservedPart(part, registry.tags(part), ticker, this::settle);
                observed.put(part, added);
                reported.put(added, Set.of());
                added.current();
            }
        }
        silent.forEach(ObservedPart::current);
    }

    /**
     * Returns the series of the parts that reported other series than before, or of all parts if tag keys have been
     * added.
     */
    private Map<ObservedPart, Set<Series>> lookAtOtherSeries() {
        int version = keys.version();
        Map<ObservedPart, Set<Series>> changed = new HashMap<>();
        for (ObservedPart part = otherSeries.poll(); part != null; part = otherSeries.poll()) {
            if (reported.containsKey(part)) {
                Set<Series> series = part.last().series();
                reported.put(part, series);
                changed.put(part, series);
                keys.add(part, series);
            }
        }
        return keys.version() == version ? changed : reported;
    }
}
