package io.tidegate.micrometer;

import static java.util.Objects.requireNonNull;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.tidegate.Part;
import io.tidegate.Registry;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Shows all measures of all parts of a {@link Registry} in meter registries of Micrometer, those of parts that are added
 * later, too, until the part is removed.
 *
 * <pre>{@code
 * new TidegateMetrics(registry).bindTo(meterRegistry);
 * }</pre>
 *
 * <p>A measure is called {@code tidegate.<kind>.<measure>} and has a tag {@code name}, the tags with which the part was
 * added to the registry, and the measure's own. All series of a name have the same tag keys, with the value {@code none}
 * where a part or a series has no such tag. Of two tags with one key the measure's own counts, and {@code name} is
 * always that of the part.
 *
 * <ul>
 *   <li>a gauge is a {@link io.micrometer.core.instrument.Gauge};
 *   <li>a count is a {@link io.micrometer.core.instrument.FunctionCounter};
 *   <li>a time is a {@link io.micrometer.core.instrument.FunctionTimer} of count and total, and three {@link
 *       io.micrometer.core.instrument.TimeGauge}s, whose names end in {@code .p50}, {@code .p99} and {@code .max};
 *   <li>a state is a gauge for each state that was seen, with a tag {@code state}: 1 for the present one, 0 for others.
 * </ul>
 *
 * <p><b>One reading serves one scrape.</b> A part is read when one of its meters is asked and the last reading is older
 * than {@value #SHARED_MILLIS} ms. All meters of the part, in all meter registries, tell what that reading told, at one
 * instant. Nothing is read while nobody asks, and no thread is started.
 *
 * <p>Series that a new reading tells get their meters at once and are shown by the next scrape at the latest; meters of
 * series that it does not tell any more are removed. If a part cannot be read, its gauges are {@code NaN} and its counts
 * stand still until it can, and other parts are not concerned. A part that has told nothing yet is asked again whenever a
 * meter of another one is, or when the registry changes.
 *
 * <p>Safe for use by many threads. No thread waits for another: what changes while one is adding and removing meters is
 * done by that one, perhaps just after the call that changed it has returned. The registry keeps this object, and this
 * object the meter registries until they are closed; a part that was removed is not kept. Two registries that have a part
 * of the same kind and name need two meter registries.
 */
public final class TidegateMetrics implements MeterBinder, AutoCloseable {
    /** For how long a reading of a part is shared, in milliseconds. */
    public static final long SHARED_MILLIS = 500;

    private final Registry registry;
    private final LongSupplier ticker;
    private final Runnable onChange = this::lookAgain;
    private final Map<MeterRegistry, Binding> bindings = new ConcurrentHashMap<>();
    private boolean listening;
    private volatile boolean closed;
    private volatile boolean partsChanged;

    /*
     * Settling makes the meters those of the present parts and of what they told last. One thread at a time does it, with
     * nothing held: a meter registry calls listeners, and may ask meters, while meters are added to it. Whoever comes
     * meanwhile leaves a note by raising the number, and the one who settles looks again until there is none.
     */
    private final AtomicInteger unsettled = new AtomicInteger();

    /* Both belong to the thread that settles. */
    private final IdentityHashMap<Part, Watched> watched = new IdentityHashMap<>();
    private final TagKeys keys = new TagKeys();

    /* Parts without a meter, which nobody would ask otherwise. */
    private volatile List<Watched> silent = List.of();

    /** Of the parts of this registry. */
    public TidegateMetrics(Registry registry) {
        this(registry, System::nanoTime);
    }

    TidegateMetrics(Registry registry, LongSupplier ticker) {
        this.registry = requireNonNull(registry, "registry");
        this.ticker = ticker;
    }

    /**
     * Adds the meters to a meter registry. May be called for several; a second call for the same one changes nothing.
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

    /** Removes all meters and lets go of the registries. A second call changes nothing. */
    @Override
    public void close() {
        synchronized (bindings) {
            closed = true;
            registry.removeListener(onChange);
        }
        lookAgain();
    }

    private double ask(Watched part, Series series, int index) {
        double value = part.current().value(series, index);
        silent.forEach(Watched::current);
        return value;
    }

    private void lookAgain() {
        partsChanged = true;
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
        if (partsChanged || closing) {
            partsChanged = false;
            watch(closing ? List.of() : registry.parts());
        }
        // Looked at once, as a scrape may read a part at any time.
        Map<Watched, Set<Series>> told = new HashMap<>();
        for (Watched part : watched.values()) {
            told.put(part, part.last().series());
        }
        told.forEach(keys::add);
        bindings.keySet().removeIf(MeterRegistry::isClosed);
        bindings.values().forEach(binding -> binding.settle(told, keys));
        silent = told.entrySet().stream()
                .filter(part -> part.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
        if (closing) {
            bindings.clear();
        }
    }

    private void watch(List<Part> parts) {
        Set<Part> present = Collections.newSetFromMap(new IdentityHashMap<>());
        present.addAll(parts);
        watched.entrySet().removeIf(entry -> {
            boolean gone =
                    !present.contains(entry.getKey()) || !entry.getValue().tags.equals(registry.tags(entry.getKey()));
            if (gone) {
                entry.getValue().forget();
            }
            return gone;
        });
        for (Part part : parts) {
            watched.computeIfAbsent(part, added -> new Watched(added, registry.tags(added), ticker, this::settle));
        }
        for (Watched part : watched.values()) {
            if (part.last().series().isEmpty()) {
                part.current();
            }
        }
    }
}
