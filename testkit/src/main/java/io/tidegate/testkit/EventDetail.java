package io.tidegate.testkit;

import java.util.HashMap;
import java.util.Map;

/** The {@code key=value} pairs of an event's detail. The value of {@code request} is all the rest, whatever is in it. */
record EventDetail(Map<String, String> pairs) {
    static EventDetail of(String detail) {
        Map<String, String> pairs = new HashMap<>();
        String rest = detail;
        while (!rest.isEmpty()) {
            int equals = rest.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("'" + rest + "' is no key=value");
            }
            String key = rest.substring(0, equals);
            int end = key.equals("request") ? -1 : rest.indexOf(' ', equals);
            if (pairs.put(key, rest.substring(equals + 1, end < 0 ? rest.length() : end)) != null) {
                throw new IllegalArgumentException("there are two of " + key + "=");
            }
            rest = end < 0 ? "" : rest.substring(end + 1);
        }
        return new EventDetail(Map.copyOf(pairs));
    }

    String text(String key) {
        String value = pairs.get(key);
        if (value == null) {
            throw new IllegalArgumentException("there is no " + key + "=");
        }
        return value;
    }

    long number(String key) {
        String value = text(key);
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(key + " is '" + value + "', not a number", notANumber);
        }
    }

    int count(String key) {
        long value = number(key);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(key + " is " + value + ", not a count");
        }
        return (int) value;
    }
}
