package io.tidegate.docs;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes maps, lists, texts, whole numbers and booleans as JSON, and reads its own output. */
final class Json {
    private static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|[\\[\\]{}:,]|[-\\w]+");

    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    private final Matcher tokens;
    private String token = "";

    private Json(String text) {
        tokens = TOKEN.matcher(text);
        next();
    }

    static Object read(String text) {
        return new Json(text).value();
    }

    private Object value() {
        String first = next();
        return switch (first) {
            case "{" -> {
                Map<String, Object> map = new LinkedHashMap<>();
                while (inside("}")) {
                    String key = unquote(next());
                    next();
                    map.put(key, value());
                }
                yield map;
            }
            case "[" -> {
                List<Object> list = new ArrayList<>();
                while (inside("]")) {
                    list.add(value());
                }
                yield list;
            }
            case "true", "false" -> Boolean.valueOf(first);
            default -> first.startsWith("\"") ? (Object) unquote(first) : Integer.valueOf(first);
        };
    }

    /** Whether there is another element. Goes past a comma before it, or past the end. */
    private boolean inside(String end) {
        if (token.equals(",")) {
            next();
        }
        if (!token.equals(end)) {
            return true;
        }
        next();
        return false;
    }

    /** Returns the present token, and goes on to the next one. */
    private String next() {
        String left = token;
        token = tokens.find() ? tokens.group() : "";
        return left;
    }

    private static String unquote(String text) {
        return ESCAPED.matcher(text.substring(1, text.length() - 1))
                .replaceAll(found -> found.group(1).equals("n") ? "\n" : Matcher.quoteReplacement(found.group(1)));
    }

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
