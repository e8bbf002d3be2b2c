package io.tidegate.micrometer;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Which tag keys the series of each measure have.
 *
 * <p>Registries for Prometheus may refuse series of a name that have different keys. Parts of one kind may have
 * different tags, and a measure may have a tag on some of its series only. So each series has all the keys that any of
 * them has, and {@link #NONE} where it has no such tag. Keys are only ever added: removing a key together with its part
 * would change the identity of all other series once more.
 */
final class TagKeys {
    /** The value of a tag that a series has only because others of its name have it. */
    static final String NONE = "none";

    private static final Pattern NOT_IN_A_LABEL = Pattern.compile("[^A-Za-z0-9_]");

    /** The keys that Prometheus reserves. */
    private static final Set<String> RESERVED = Set.of("quantile", "le");

    private record Measure(String kind, String name) {}

    private final Map<String, Set<String>> ofParts = new HashMap<>();
    private final Map<Measure, Set<String>> ofMeasures = new HashMap<>();
    private int version;

    /** Adds the keys of a part and of what it reported. */
    void add(ObservedPart part, Collection<Series> reported) {
        boolean grown = keysOf(part.kind).addAll(part.tags.keySet());
        for (Series series : reported) {
            grown |= keysOf(part.kind, series.measure()).addAll(series.tags().keySet());
        }
        if (grown) {
            version++;
        }
    }

    /** Rises with each key that is added. */
    int version() {
        return version;
    }

    /**
     * Returns the tags of a series. If several keys are written alike, the first one counts: name, then the measure's,
     * then the part's.
     */
    Tags tags(ObservedPart part, Series series) {
        Map<String, Tag> tags = new HashMap<>();
        put(tags, "name", part.name);
        for (String key : keysOf(part.kind, series.measure())) {
            put(tags, key, series.tags().getOrDefault(key, part.tags.getOrDefault(key, NONE)));
        }
        for (String key : keysOf(part.kind)) {
            put(tags, key, part.tags.getOrDefault(key, NONE));
        }
        return Tags.of(tags.values());
    }

    private static void put(Map<String, Tag> tags, String key, String value) {
        String written = RESERVED.contains(key) ? key + "_" : key;
        tags.putIfAbsent(NOT_IN_A_LABEL.matcher(written).replaceAll("_"), Tag.of(written, value));
    }

    private Set<String> keysOf(String kind) {
        return ofParts.computeIfAbsent(kind, any -> new TreeSet<>());
    }

    private Set<String> keysOf(String kind, String measure) {
        return ofMeasures.computeIfAbsent(new Measure(kind, measure), any -> new TreeSet<>());
    }
}
