package io.tidegate.spring;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A property with a value that was not expected. */
final class BadPropertyException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final String EXPECTED = "(expected: ";

    final String property;
    final String value;
    final String expected;

    BadPropertyException(String property, @Nullable Object value, String expected) {
        super(property + ": " + (value == null ? "not set" : value) + " " + EXPECTED + expected + ")");
        this.property = property;
        this.value = value == null ? "not set" : value.toString();
        this.expected = expected;
    }

    /** Returns the expectation in the library's message {@code name: value (expected: …)}. */
    static String expectedIn(IllegalArgumentException misuse) {
        String message = String.valueOf(misuse.getMessage());
        int from = message.indexOf(EXPECTED);
        return from < 0 || !message.endsWith(")")
                ? message
                : message.substring(from + EXPECTED.length(), message.length() - 1);
    }
}
