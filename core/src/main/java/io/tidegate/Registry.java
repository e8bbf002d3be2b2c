package io.tidegate;

import static java.util.Objects.requireNonNull;

import io.tidegate.stage.Stages;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A list of parts, for views of them. A program may have several; there is no global one.
 *
 * <pre>{@code
 * Registry registry = new Registry();
 * Guard inventory = registry.add(Guard.standard("inventory"));
 * inventory.parts().forEach(registry::add);
 * }</pre>
 *
 * <p>Safe for use by many threads. A part that was removed is not kept alive.
 */
public final class Registry {
    private record Key(String kind, String name) {}

    private record Entry(Part part, Map<String, String> tags) {}

    private final ConcurrentSkipListMap<Key, Entry> entries =
            new ConcurrentSkipListMap<>(Comparator.comparing(Key::kind).thenComparing(Key::name));
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Makes an empty registry. */
    public Registry() {}

    /**
     * Adds a part. Adding the very same part with the same tags again changes nothing.
     *
     * @param tags pairs of a key and a value, which views show with the part
     * @return the part
     * @throws IllegalArgumentException if the registry has another part of the same kind and name, if the same part has
     *     other tags there, or if the tags are not pairs of texts that are not blank; nothing changes
     */
    @SuppressWarnings("ReferenceEquality") // the very same
    public <P extends Part> P add(P part, String... tags) {
        requireNonNull(part, "part");
        Entry added = new Entry(part, pairs(tags));
        Entry there = entries.putIfAbsent(keyOf(part), added);
        if (there == null) {
            tellChange();
        } else if (there.part != part) {
            throw new IllegalArgumentException("part: " + part + " (expected: another name than '" + part.name()
                    + "', which is that of the " + part.kind() + " " + there.part + ")");
        } else if (!there.tags.equals(added.tags)) {
            throw new IllegalArgumentException(
                    "tags: " + added.tags + " (expected: " + there.tags + ", with which the part was added before)");
        }
        return part;
    }

    private static Key keyOf(Part part) {
        return new Key(requireNonNull(part.kind(), "kind"), requireNonNull(part.name(), "name"));
    }

    private static Map<String, String> pairs(String[] tags) {
        requireNonNull(tags, "tags");
        if (tags.length % 2 != 0) {
            throw new IllegalArgumentException("tags: " + List.of(tags) + " (expected: pairs of a key and a value)");
        }
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < tags.length; i += 2) {
            String key = requireNonNull(tags[i], "tags");
            String value = requireNonNull(tags[i + 1], "tags");
            if (key.isBlank() || value.isBlank() || pairs.put(key, value) != null) {
                throw new IllegalArgumentException(
                        "tags: " + List.of(tags) + " (expected: texts that are not blank, each key once)");
            }
        }
        return Collections.unmodifiableMap(pairs);
    }

    /** Removes a part. Returns whether it was there. */
    @SuppressWarnings("ReferenceEquality") // the very same
    public boolean remove(Part part) {
        Key key = keyOf(requireNonNull(part, "part"));
        Entry there = entries.get(key);
        if (there == null || there.part != part || !entries.remove(key, there)) {
            return false;
        }
        tellChange();
        return true;
    }

    /** The parts, in order of kind, then name: a copy that does not change. */
    public List<Part> parts() {
        return entries.values().stream().map(Entry::part).toList();
    }

    /** The part of this kind and name. */
    public Optional<Part> find(String kind, String name) {
        Entry found = entries.get(new Key(requireNonNull(kind, "kind"), requireNonNull(name, "name")));
        return Optional.ofNullable(found).map(Entry::part);
    }

    /** The tags with which a part was added, in that order; empty if it is not here. */
    @SuppressWarnings("ReferenceEquality") // the very same
    public Map<String, String> tags(Part part) {
        Entry found = entries.get(keyOf(requireNonNull(part, "part")));
        return found == null || found.part != part ? Map.of() : found.tags;
    }

    /**
     * Runs {@code listener} after each addition or removal of a part, on the thread that made the change and with no
     * lock held. What it throws is dropped.
     */
    public void onChange(Runnable listener) {
        listeners.add(requireNonNull(listener, "listener"));
    }

    /** Forgets a listener that was given to {@link #onChange}. Returns whether it was there. */
    public boolean removeListener(Runnable listener) {
        return listeners.remove(requireNonNull(listener, "listener"));
    }

    private void tellChange() {
        for (Runnable listener : listeners) {
            try {
                listener.run();
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
    }

    @Override
    public String toString() {
        return "Registry(" + entries.size() + " parts)";
    }
}
