package io.tidegate.docs;

import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes maps, lists, texts, numbers and truth values as JSON. */
final class Json {
    private Json() {}

    static String write(Object value) {
        return write(value, "\n") + "\n";
    }

    private static String write(Object value, String newLine) {
        String deeper = newLine + "  ";
        if (value instanceof Map<?, ?> map) {
            return block(
                    "{",
                    "}",
                    newLine,
                    map.entrySet().stream()
                            .map(entry -> write(entry.getKey(), deeper) + ": " + write(entry.getValue(), deeper)));
        }
        if (value instanceof Collection<?> list) {
            return block("[", "]", newLine, list.stream().map(element -> write(element, deeper)));
        }
        return value instanceof String text ? quote(text) : value.toString();
    }

    private static String block(String open, String close, String newLine, Stream<String> elements) {
        String inside = elements.collect(Collectors.joining("," + newLine + "  "));
        return inside.isEmpty() ? open + close : open + newLine + "  " + inside + newLine + close;
    }

    private static String quote(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
