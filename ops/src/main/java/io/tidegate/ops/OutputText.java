package io.tidegate.ops;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes rows as tables for people, or as JSON for scripts. */
final class OutputText {
    private static final String GAP = "   ";

    private OutputText() {}

    /** Returns a heading and a line for each row, numbers to the right. All rows have the same keys. */
    static String table(List<Map<String, @Nullable Object>> rows) {
        if (rows.isEmpty()) {
            return "";
        }
        List<String> keys = List.copyOf(rows.get(0).keySet());
        List<List<String>> lines = new ArrayList<>();
        lines.add(keys.stream().map(OutputText::heading).toList());
        for (Map<String, @Nullable Object> row : rows) {
            lines.add(keys.stream().map(key -> cell(row.get(key))).toList());
        }
        int[] widths = new int[keys.size()];
        boolean[] right = new boolean[keys.size()];
        for (int column = 0; column < keys.size(); column++) {
            int at = column;
            widths[at] =
                    lines.stream().mapToInt(line -> width(line.get(at))).max().orElse(0);
            right[at] = rows.stream().anyMatch(row -> row.get(keys.get(at)) instanceof Number);
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder written = new StringBuilder();
            for (int column = 0; column < keys.size(); column++) {
                String cell = line.get(column);
                String padding = " ".repeat(widths[column] - width(cell));
                written.append(column == 0 ? "" : GAP).append(right[column] ? padding + cell : cell + padding);
            }
            text.append(written.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    /** Returns how many columns of a terminal a text takes, as nearly as is possible without the terminal. */
    static int width(String text) {
        return text.codePoints().map(OutputText::width).sum();
    }

    private static int width(int point) {
        int type = Character.getType(point);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        return isWide(point) ? 2 : 1;
    }

    private static boolean isWide(int point) {
        return switch (Character.UnicodeScript.of(point)) {
            case HAN, HIRAGANA, KATAKANA, HANGUL, BOPOMOFO, YI -> !isHalfWide(point);
            default -> Character.isEmojiPresentation(point) || isFullWide(point);
        };
    }

    /* The narrow forms of Katakana and Hangul, from old terminals. */
    private static boolean isHalfWide(int point) {
        return point >= 0xff61 && point <= 0xffdc;
    }

    /* Signs of East Asian writing, and Latin letters of the same width. */
    private static boolean isFullWide(int point) {
        return (point >= 0x3000 && point <= 0x303e)
                || (point >= 0x30fb && point <= 0x30fc)
                || (point >= 0xff01 && point <= 0xff60)
                || (point >= 0xffe0 && point <= 0xffe6);
    }

    /** Turns a key into a heading: {@code acquiredAt} becomes {@code acquired at}. */
    static String heading(String key) {
        return key.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
    }

    static String cell(@Nullable Object value) {
        if (value == null) {
            return "-";
        }
        return value instanceof Instant time
                ? time.truncatedTo(ChronoUnit.SECONDS).toString()
                : visible(String.valueOf(value));
    }

    /** Replaces characters that would break a line or control a terminal. */
    static String visible(String text) {
        return text.codePoints()
                .mapToObj(point -> isSeen(point) ? Character.toString(point) : String.format("\\u%04x", point))
                .collect(Collectors.joining());
    }

    private static boolean isSeen(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }

    /** Returns a word that a POSIX shell reads as this text, with no character that controls a terminal. */
    static String shellWord(String text) {
        return text.codePoints().allMatch(OutputText::isSeen) ? "'" + text.replace("'", "'\\''") + "'" : printed(text);
    }

    /*
     * Returns a call of printf that writes the text. The shell drops line ends at the end of its output, so these
     * follow unencoded.
     */
    private static String printed(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == '\n') {
            end--;
        }
        StringBuilder format = new StringBuilder();
        for (byte unit : text.substring(0, end).getBytes(StandardCharsets.UTF_8)) {
            char sign = (char) (unit & 0xff);
            boolean isPlain = sign < 0x80 && (Character.isLetterOrDigit(sign) || sign == ' ');
            format.append(isPlain ? String.valueOf(sign) : String.format("\\%03o", (int) sign));
        }
        return "\"$(printf '" + format + "')" + text.substring(end) + "\"";
    }

    /** Returns JSON in ASCII, which every terminal can show. */
    static String json(@Nullable Object value) {
        if (value instanceof Map<?, ?> fields) {
            return fields.entrySet().stream()
                    .map(field -> quoted(String.valueOf(field.getKey())) + ":" + json(field.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Collection<?> all) {
            return all.stream().map(OutputText::json).collect(Collectors.joining(",", "[", "]"));
        }
        return value == null || value instanceof Number || value instanceof Boolean
                ? String.valueOf(value)
                : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit < ' ' || unit > '~' || unit == '"' || unit == '\\') {
                quoted.append(String.format("\\u%04x", (int) unit));
            } else {
                quoted.append(unit);
            }
        }
        return quoted.append('"').toString();
    }
}
