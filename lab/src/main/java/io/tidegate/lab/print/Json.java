package io.tidegate.lab.print;

import java.util.Iterator;
import java.util.Map;

/** Writes JSON: maps, lists, texts, numbers and booleans. */
public final class Json {
    private Json() {}

    public static String write(Object value) {
        StringBuilder json = new StringBuilder();
        write(value, json);
        return json.toString();
    }

    private static void write(Object value, StringBuilder json) {
        if (value instanceof Map<?, ?> map) {
            json.append('{');
            for (Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator(); entries.hasNext(); ) {
                Map.Entry<?, ?> entry = entries.next();
                text(String.valueOf(entry.getKey()), json);
                json.append(':');
                write(entry.getValue(), json);
                json.append(entries.hasNext() ? "," : "");
            }
            json.append('}');
        } else if (value instanceof Iterable<?> list) {
            json.append('[');
            for (Iterator<?> elements = list.iterator(); elements.hasNext(); ) {
                write(elements.next(), json);
                json.append(elements.hasNext() ? "," : "");
            }
            json.append(']');
        } else if (value instanceof Number || value instanceof Boolean) {
            json.append(value);
        } else {
            text(value.toString(), json);
        }
    }

    private static void text(String text, StringBuilder json) {
        json.append('"');
        for (char character : text.toCharArray()) {
            if (character == '"' || character == '\\') {
                json.append('\\').append(character);
            } else if (character < ' ') {
                json.append(String.format("\\u%04x", (int) character));
            } else {
                json.append(character);
            }
        }
        json.append('"');
    }
}
