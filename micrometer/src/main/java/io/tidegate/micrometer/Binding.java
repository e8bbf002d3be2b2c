package io.tidegate.micrometer;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The meters of all parts in one meter registry. One thread at a time settles it. */
final class Binding {
    private static final Logger LOG = System.getLogger(TidegateMetrics.class.getName());

    /** Supplies a number of a series to a meter. */
    interface Source {
        double ask(ObservedPart part, Series series, int index);
    }

    private record Placed(Tags tags, List<Meter> meters) {}

    private final MeterRegistry registry;
    private final Source source;
    private final Map<ObservedPart, Map<Series, Placed>> meters = new HashMap<>();

    Binding(MeterRegistry registry, Source source) {
        this.registry = registry;
        this.source = source;
    }

    /** Whether it has no part yet, so that there is nothing to settle. */
    boolean isEmpty() {
        return meters.isEmpty();
    }

    /**
     * Removes the meters of some parts, and gives others the meters of what they last reported. All removals come
     * first, because a registry may refuse tag keys that another meter of the name does not have, or a meter that
     * exists.
     */
    void settle(Collection<ObservedPart> gone, Map<ObservedPart, Set<Series>> reported, TagKeys keys) {
        for (ObservedPart part : gone) {
            Map<Series, Placed> placed = meters.remove(part);
            if (placed != null) {
                placed.values().forEach(this::remove);
            }
        }
        reported.forEach((part, series) -> placedOf(part).entrySet().removeIf(entry -> {
            boolean unwanted =
                    !series.contains(entry.getKey()) || !entry.getValue().tags.equals(keys.tags(part, entry.getKey()));
            if (unwanted) {
                remove(entry.getValue());
            }
            return unwanted;
        }));
        reported.forEach((part, series) -> {
            Map<Series, Placed> placed = placedOf(part);
            for (Series wanted : series) {
                placed.computeIfAbsent(wanted, any -> place(part, wanted, keys.tags(part, wanted)));
            }
        });
    }

    private Map<Series, Placed> placedOf(ObservedPart part) {
        return meters.computeIfAbsent(part, any -> new HashMap<>());
    }

    private void remove(Placed gone) {
        for (Meter meter : gone.meters) {
            try {
                registry.remove(meter);
            } catch (RuntimeException e) {
                LOG.log(Level.WARNING, meter.getId() + " cannot be removed", e);
            }
        }
    }

    private Placed place(ObservedPart part, Series series, Tags tags) {
        List<Meter> placed = new ArrayList<>();
        String name = "tidegate." + part.kind + "." + series.measure();
        try {
            switch (series.shape()) {
                case GAUGE, STATE -> placed.add(gauge(name, part, series, tags));
                case COUNT -> placed.add(counter(name, part, series, tags));
                case TIME -> {
                    placed.add(timer(name, part, series, tags));
                    placed.add(timeGauge(name + ".p50", part, series, 2, tags));
                    placed.add(timeGauge(name + ".p99", part, series, 3, tags));
                    placed.add(timeGauge(name + ".max", part, series, 4, tags));
                }
            }
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, name + " " + tags + " cannot be registered", e);
        }
        return new Placed(tags, placed);
    }

    /* Meters refer to their object weakly, but to their functions strongly: these refer to the part themselves. */

    private Meter gauge(String name, ObservedPart part, Series series, Tags tags) {
        return Gauge.builder(name, part, any -> source.ask(part, series, 0))
                .tags(tags)
                .register(registry);
    }

    private Meter counter(String name, ObservedPart part, Series series, Tags tags) {
        return FunctionCounter.builder(name, part, any -> source.ask(part, series, 0))
                .tags(tags)
                .register(registry);
    }

    private Meter timer(String name, ObservedPart part, Series series, Tags tags) {
        return FunctionTimer.builder(
                        name,
                        part,
                        any -> (long) source.ask(part, series, 0),
                        any -> source.ask(part, series, 1),
                        NANOSECONDS)
                .tags(tags)
                .register(registry);
    }

    private Meter timeGauge(String name, ObservedPart part, Series series, int index, Tags tags) {
        return TimeGauge.builder(name, part, NANOSECONDS, any -> source.ask(part, series, index))
                .tags(tags)
                .register(registry);
    }
}
