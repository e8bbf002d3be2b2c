package io.tidegate.console;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes valid JSON for any text and number, and reads JSON of bounded size and depth. */
final class Json {
    /** The longest text that is sent. A longer one is cut. */
    static final int LONGEST_TEXT = 400;

    private static final int LONGEST_NAME = 4_000;

    private static final int DEEPEST = 16;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(DEEPEST)
                    .maxNumberLength(40)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** Writes something. */
    interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    private Json() {}

    static byte[] bytes(Writing writing) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
            writing.to(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Returns a text that can be written: no half of a surrogate pair, and no longer than {@value #LONGEST_TEXT}. */
    static String text(@Nullable Object value) {
        return text(String.valueOf(value), LONGEST_TEXT);
    }

    /** Returns a name, which identifies something: cut only after {@value #LONGEST_NAME} characters. */
    static String name(String name) {
        return text(name, LONGEST_NAME);
    }

    private static String text(String text, int longest) {
        return text.length() > longest ? mended(text.substring(0, longest)) + "…" : mended(text);
    }

    private static String mended(String text) {
        StringBuilder mended = null;
        int end = text.length();
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c) && i + 1 < end && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                i++;
            } else if (Character.isSurrogate(c)) {
                mended = mended == null ? new StringBuilder(text) : mended;
                mended.setCharAt(i, '\uFFFD');
            }
        }
        return mended == null ? text : mended.toString();
    }

    /** Whole numbers are written without a point; null stands for those that JSON cannot write. */
    static void number(JsonGenerator json, double value) throws IOException {
        long whole = (long) value;
        if (whole == value && Math.abs(value) < 1L << 53) {
            json.writeNumber(whole);
        } else if (Double.isFinite(value)) {
            json.writeNumber(value);
        } else {
            json.writeNull();
        }
    }

    /** Writes texts, numbers, booleans, lists and maps as they are, and anything else as text. */
    static void value(JsonGenerator json, @Nullable Object value) throws IOException {
        value(json, value, 0);
    }

    private static void value(JsonGenerator json, @Nullable Object value, int depth) throws IOException {
        if (value == null || depth > DEEPEST) {
            json.writeNull();
        } else if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName(text(entry.getKey()));
                value(json, entry.getValue(), depth + 1);
            }
            json.writeEndObject();
        } else if (value instanceof Iterable<?> list) {
            json.writeStartArray();
            for (Object each : list) {
                value(json, each, depth + 1);
            }
            json.writeEndArray();
        } else if (value instanceof Long || value instanceof Integer) {
            json.writeNumber(((Number) value).longValue());
        } else if (value instanceof Number number) {
            number(json, number.doubleValue());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else {
            json.writeString(text(value));
        }
    }

    /**
     * Reads an object without nulls. An empty body is an empty object.
     *
     * @throws IllegalArgumentException if it is anything else
     */
    static Map<String, Object> object(byte[] body) {
        if (body.length == 0) {
            return Map.of();
        }
        try (JsonParser json = FACTORY.createParser(body)) {
            if (json.nextToken() == JsonToken.START_OBJECT) {
                Map<String, Object> object = object(json);
                if (json.nextToken() == null) {
                    return object;
                }
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("body: broken (expected: a JSON object of moderate depth)", e);
        }
        throw new IllegalArgumentException("body: something else (expected: a JSON object, and nothing behind it)");
    }

    private static Map<String, Object> object(JsonParser json) throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            json.nextToken();
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                throw new IllegalArgumentException(text(name) + ": null (expected: a value, or nothing of that name)");
            }
            object.put(name, value(json));
        }
        return object;
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> list(json);
            case VALUE_NUMBER_INT -> wholeNumber(json);
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> throw new IllegalArgumentException("body: null in a list (expected: values)");
            default -> json.getText();
        };
    }

    private static Object wholeNumber(JsonParser json) throws IOException {
        if (json.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
            return json.getDoubleValue();
        }
        return json.getLongValue();
    }

    private static List<Object> list(JsonParser json) throws IOException {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            list.add(value(json));
        }
        return list;
    }
}
