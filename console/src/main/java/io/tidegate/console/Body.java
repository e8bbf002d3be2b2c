package io.tidegate.console;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The body of an action's request. Anything unexpected throws an {@link IllegalArgumentException} that says so. */
record Body(Map<String, Object> fields) {
    /** Refuses fields that the action does not have: their sender expects something of them. */
    Body only(String... names) {
        List<String> known = Arrays.asList(names);
        for (Map.Entry<String, Object> field : fields.entrySet()) {
            if (!known.contains(field.getKey())) {
                throw bad(field.getKey(), field.getValue(), known.isEmpty() ? "an empty object" : "only " + known);
            }
        }
        return this;
    }

    long whole(String name, long least, long most) {
        Object value = fields.get(name);
        if (value instanceof Long number && number >= least && number <= most) {
            return number;
        }
        throw bad(name, value, "a whole number from " + least + " to " + most);
    }

    /** Returns any whole number, given as a number or as text. */
    long anyWhole(String name) {
        Object value = fields.get(name);
        if (value instanceof String text && text.matches("-?[0-9]{1,19}")) {
            try {
                return Long.parseLong(text);
            } catch (NumberFormatException tooLarge) {
                throw bad(name, value, "a whole number of 64 bits");
            }
        }
        return whole(name, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    String text(String name) {
        Object value = fields.get(name);
        if (value instanceof String text && !text.isBlank()) {
            return text;
        }
        throw bad(name, value, "a text that is not blank");
    }

    boolean has(String name) {
        return fields.containsKey(name);
    }

    private static IllegalArgumentException bad(String name, @Nullable Object value, String expected) {
        String given = value == null ? "not given" : Json.text(value);
        return new IllegalArgumentException(Json.text(name) + ": " + given + " (expected: " + expected + ")");
    }
}
