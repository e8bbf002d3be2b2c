package io.tidegate.console;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened.
 *
 * @param time in milliseconds since 1970
 * @param code by which viewers filter events, if there is one
 * @param change for an action only
 */
record Event(
        long time,
        String type,
        @Nullable String kind,
        @Nullable String name,
        @Nullable String code,
        String text,
        @Nullable Change change) {

    /** What an action did. */
    record Change(String action, String before, String after) {}

    static Event of(long time, String type, LivePart part, @Nullable String code, String text) {
        return new Event(time, type, part.kind, part.name, code, text, null);
    }

    /** Returns the text of a change. */
    static String moved(Object before, Object after) {
        return shown(before) + " → " + shown(after);
    }

    private static String shown(Object value) {
        return value instanceof Double number && number == Math.rint(number)
                ? Long.toString(number.longValue())
                : value.toString();
    }

    void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("time", time);
        json.writeStringField("type", type);
        name(json, "kind", kind);
        name(json, "name", name);
        text(json, "code", code);
        text(json, "text", text);
        if (change != null) {
            text(json, "action", change.action);
            text(json, "before", change.before);
            text(json, "after", change.after);
        }
        json.writeEndObject();
    }

    private static void name(JsonGenerator json, String field, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(field, Json.name(value));
        }
    }

    private static void text(JsonGenerator json, String field, @Nullable String value) throws IOException {
        if (value != null) {
            json.writeStringField(field, Json.text(value));
        }
    }
}
