package io.tidegate.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tidegate.Part;
import io.tidegate.Reading;
import io.tidegate.guard.Guard;
import io.tidegate.guard.GuardLayer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part, what it told last, and what of that is not in a frame yet.
 *
 * <p>A reading goes through the list of measures from its beginning. As long as each that is told is the one that is
 * next in the list, values are put in their place. The first that is not makes the rest of the list anew, and the part
 * is sent whole.
 */
final class Shown implements Reading {
    /** The most measures of a part that are shown, with all their tags. */
    static final int MOST_MEASURES = 500;

    private static final int MOST_TAGS = 16;

    /** What is told of two readings that differ. */
    interface Listener {
        void changed(Shown part, Measure measure, Object before, Object after);
    }

    enum Type {
        GAUGE("gauge"),
        COUNT("count"),
        TIME("time"),
        STATE("state");

        private final String word;

        Type(String word) {
            this.word = word;
        }
    }

    /** One series of a measure. */
    record Measure(String name, Type type, List<String> tags) {
        @Nullable
        String tag(String key) {
            for (int i = 0; i + 1 < tags.size(); i += 2) {
                if (tags.get(i).equals(key)) {
                    return tags.get(i + 1);
                }
            }
            return null;
        }

        private boolean is(String otherName, Type otherType, String[] otherTags) {
            return name.equals(otherName) && type == otherType && tags.equals(Arrays.asList(otherTags));
        }
    }

    private record Times(long count, long total, long p50, long p99, long max) {}

    final int id;
    final Part part;
    final String kind;
    final String name;
    private final Map<String, String> tags;
    private final List<String> actions;
    private final List<Measure> measures = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();
    private final BitSet changed = new BitSet();
    private boolean sendWhole = true;
    private int next;
    private boolean otherMeasures;
    private @Nullable Listener listener;
    private List<GuardLayer> layers = List.of();
    private @Nullable String unread;

    Shown(int id, Part part, Map<String, String> tags, List<String> actions) {
        this.id = id;
        this.part = part;
        this.kind = Json.text(part.kind());
        this.name = Json.text(part.name());
        this.tags = tags;
        this.actions = actions;
    }

    /** Reads the part; of one that cannot be read the last values stay. Whether that is new. */
    boolean read(@Nullable Listener toTell) {
        next = 0;
        otherMeasures = false;
        listener = toTell;
        String before = unread;
        try {
            part.read(this);
            shorten();
            lookAtLayers();
            unread = null;
        } catch (Throwable failure) {
            unread = Json.text(failure.getClass().getName());
        }
        sendWhole |= otherMeasures || (unread == null) != (before == null);
        return unread != null && before == null;
    }

    private void shorten() {
        if (next < measures.size()) {
            measures.subList(next, measures.size()).clear();
            values.subList(next, values.size()).clear();
            otherMeasures = true;
        }
    }

    private void lookAtLayers() {
        if (part instanceof Guard guard) {
            List<GuardLayer> now = guard.layers();
            sendWhole |= !now.equals(layers);
            layers = now;
        }
    }

    @Override
    public void gauge(String measure, double value, String... tags) {
        put(measure, Type.GAUGE, value, tags);
    }

    @Override
    public void count(String measure, long total, String... tags) {
        put(measure, Type.COUNT, total, tags);
    }

    @Override
    public void time(
            String measure, long count, long totalNanos, long p50Nanos, long p99Nanos, long maxNanos, String... tags) {
        put(measure, Type.TIME, new Times(count, totalNanos, p50Nanos, p99Nanos, maxNanos), tags);
    }

    @Override
    public void state(String measure, String value) {
        put(measure, Type.STATE, String.valueOf(value));
    }

    private void put(String name, Type type, Object value, String... tags) {
        if (next == MOST_MEASURES) {
            return;
        }
        if (next < measures.size() && measures.get(next).is(name, type, tags)) {
            Object before = values.set(next, value);
            if (!value.equals(before)) {
                changed.set(next);
                tell(measures.get(next), before, value);
            }
        } else {
            insert(name, type, value, tags);
        }
        next++;
    }

    /* What was told before about the same measure is behind here, if anywhere: a list changes by what is put in. */
    private void insert(String name, Type type, Object value, String[] tags) {
        for (int i = next + 1; i < measures.size(); i++) {
            if (measures.get(i).is(name, type, tags)) {
                Object before = values.get(i);
                measures.subList(next, i).clear();
                values.subList(next, i).clear();
                values.set(next, value);
                otherMeasures = true;
                if (!value.equals(before)) {
                    tell(measures.get(next), before, value);
                }
                return;
            }
        }
        if (tags.length > MOST_TAGS) {
            throw new IllegalArgumentException("tags: " + tags.length + " (expected: up to " + MOST_TAGS + ")");
        }
        Measure added = new Measure(String.valueOf(name), type, List.of(tags));
        measures.add(next, added);
        values.add(next, value);
        otherMeasures = true;
        if (type == Type.COUNT) {
            tell(added, 0L, value); // such as a code that was not seen before
        }
    }

    private void tell(Measure measure, Object before, Object after) {
        if (listener != null) {
            listener.changed(this, measure, before, after);
        }
    }

    // Sent

    boolean isSentWhole() {
        return sendWhole;
    }

    boolean hasChanged() {
        return !changed.isEmpty();
    }

    void sent() {
        sendWhole = false;
        changed.clear();
    }

    void writeChanged(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(Integer.toString(id));
        for (int i = changed.nextSetBit(0); i >= 0; i = changed.nextSetBit(i + 1)) {
            json.writeNumber(i);
            write(json, values.get(i));
        }
        json.writeEndArray();
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("id", id);
        json.writeStringField("kind", kind);
        json.writeStringField("name", name);
        if (!tags.isEmpty()) {
            json.writeFieldName("tags");
            Json.value(json, tags);
        }
        json.writeFieldName("actions");
        Json.value(json, actions);
        if (part instanceof Guard) {
            writeLayers(json);
        }
        if (unread != null) {
            json.writeStringField("unread", unread);
        }
        json.writeArrayFieldStart("measures");
        for (int i = 0; i < measures.size(); i++) {
            write(json, measures.get(i), values.get(i));
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeLayers(JsonGenerator json) throws IOException {
        json.writeArrayFieldStart("layers");
        for (GuardLayer layer : layers) {
            json.writeStartObject();
            json.writeStringField("layer", layer.kind());
            if (layer.part().isPresent()) {
                json.writeStringField("kind", Json.text(layer.part().get().kind()));
                json.writeStringField("name", Json.text(layer.part().get().name()));
            }
            if (layer.limit().isPresent()) {
                json.writeNumberField("millis", layer.limit().get().toMillis());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, Measure measure, Object value) throws IOException {
        json.writeStartObject();
        json.writeStringField("measure", Json.text(measure.name));
        json.writeStringField("type", measure.type.word);
        if (measure.tags.size() > 1) {
            json.writeObjectFieldStart("tags");
            for (int i = 0; i + 1 < measure.tags.size(); i += 2) {
                json.writeStringField(Json.text(measure.tags.get(i)), Json.text(measure.tags.get(i + 1)));
            }
            json.writeEndObject();
        }
        json.writeFieldName("value");
        write(json, value);
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof Times times) {
            json.writeStartArray();
            json.writeNumber(times.count);
            json.writeNumber(times.total);
            json.writeNumber(times.p50);
            json.writeNumber(times.p99);
            json.writeNumber(times.max);
            json.writeEndArray();
        } else {
            Json.value(json, value);
        }
    }
}
