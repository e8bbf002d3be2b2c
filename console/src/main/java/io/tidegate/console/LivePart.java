package io.tidegate.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.tidegate.Part;
import io.tidegate.console.PartReading.Series;
import io.tidegate.guard.Guard;
import io.tidegate.guard.GuardLayer;
import java.io.IOException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part, its values as they were last read, and which of them no frame has had yet.
 *
 * <p>While each reading has the same series as the one before, only changed values are sent. Otherwise the part is sent
 * whole.
 */
final class LivePart {
    /** Is called for each series whose value differs from the reading before. */
    interface Listener {
        void changed(LivePart part, Series series, Object before, Object after);
    }

    final int id;
    final Part part;
    final String kind;
    final String name;
    final Map<String, String> tags;
    final RepeatedChanges repeats = new RepeatedChanges();
    private final List<String> actions;
    private final BitSet changed = new BitSet();
    private List<Series> series = List.of();
    private List<Object> values = List.of();
    private boolean isRead;
    private boolean sendWhole = true;
    private List<GuardLayer> layers = List.of();
    private @Nullable String unread;
    private @Nullable PartReading awaited;

    LivePart(int id, Part part, Map<String, String> tags, List<String> actions) {
        this.id = id;
        this.part = part;
        this.kind = Json.name(part.kind());
        this.name = Json.name(part.name());
        this.tags = tags;
        this.actions = actions;
    }

    /** Begins a new reading of the part; null while an earlier one has not returned. */
    @Nullable
    PartReading reading() {
        if (awaited != null && awaited.isRunning()) {
            return null;
        }
        awaited = null;
        return new PartReading(part, series);
    }

    /**
     * Takes over the values of a reading. If the reading is not over or has failed, the last values stay.
     *
     * @return whether the part cannot be read now, though it could be before
     */
    boolean take(PartReading read, long patienceMillis, @Nullable Listener listener) {
        String before = unread;
        Throwable failure = read.failure();
        if (!read.isOver()) {
            awaited = read;
            unread = read.isRunning() ? "no answer in " + patienceMillis + " ms" : "not read in time";
        } else if (failure != null) {
            unread = Json.text(failure.getClass().getName());
        } else {
            unread = null;
            sendWhole |= !read.layers.equals(layers);
            layers = read.layers;
            take(read, isRead ? listener : null);
            isRead = true;
        }
        sendWhole |= !Objects.equals(unread, before);
        return unread != null && before == null;
    }

    private void take(PartReading read, @Nullable Listener listener) {
        boolean isSame = read.series.equals(series);
        Map<Series, Object> before = isSame ? Map.of() : valuesBySeries();
        for (int i = 0; i < read.values.size(); i++) {
            Series each = read.series.get(i);
            Object now = read.values.get(i);
            Object then = isSame ? values.get(i) : before.get(each);
            if (then == null && each.type() == PartReading.Type.COUNT) {
                then = 0L; // for example, a code that was not counted before
            }
            if (then != null && !now.equals(then)) {
                changed.set(i);
                if (listener != null) {
                    listener.changed(this, each, then, now);
                }
            }
        }
        sendWhole |= !isSame;
        series = isSame ? series : read.series;
        values = read.values;
    }

    private Map<Series, Object> valuesBySeries() {
        Map<Series, Object> all = new HashMap<>();
        for (int i = 0; i < values.size(); i++) {
            all.put(series.get(i), values.get(i));
        }
        return all;
    }

    // Sending

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
        for (int i = 0; i < series.size(); i++) {
            write(json, series.get(i), values.get(i));
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
                json.writeStringField("kind", Json.name(layer.part().get().kind()));
                json.writeStringField("name", Json.name(layer.part().get().name()));
            }
            if (layer.limit().isPresent()) {
                json.writeNumberField("millis", layer.limit().get().toMillis());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, Series series, Object value) throws IOException {
        json.writeStartObject();
        json.writeStringField("measure", Json.text(series.measure()));
        json.writeStringField("type", series.type().word);
        if (series.tags().size() > 1) {
            json.writeObjectFieldStart("tags");
            for (int i = 0; i + 1 < series.tags().size(); i += 2) {
                json.writeStringField(
                        Json.text(series.tags().get(i)), Json.text(series.tags().get(i + 1)));
            }
            json.writeEndObject();
        }
        json.writeFieldName("value");
        write(json, value);
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        if (value instanceof PartReading.Times times) {
            json.writeStartArray();
            json.writeNumber(times.count());
            json.writeNumber(times.total());
            json.writeNumber(times.p50());
            json.writeNumber(times.p99());
            json.writeNumber(times.max());
            json.writeEndArray();
        } else {
            Json.value(json, value);
        }
    }
}
