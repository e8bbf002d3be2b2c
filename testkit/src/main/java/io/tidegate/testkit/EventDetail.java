package io.tidegate.testkit;

import io.tidegate.remote.BulkheadEventCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The {@code key=value} pairs of an event's detail, in order. The value of {@code request} is all the rest of the text,
 * whatever it contains.
 */
record EventDetail(Map<String, String> pairs) {
    static EventDetail of(String detail) {
        Map<String, String> pairs = new LinkedHashMap<>();
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
        return new EventDetail(pairs);
    }

    /** Returns whether the keys are exactly those of events with this code. */
    boolean isOf(BulkheadEventCode code) {
        List<String> keys = switch (code) {
            case RB_PERMIT_ACQUIRED -> List.of("permit", "request");
            case RB_PERMIT_RELEASED -> List.of("permit");
            case RB_AT_CAPACITY -> List.of("request");
            case RB_REQUEST_QUEUED -> List.of("position", "request");
            case RB_REQUEST_REJECTED -> List.of("reason", "request");
            case RB_CAP_CHANGED -> List.of("from", "to");
            case RB_DRAIN_ACTIVE -> List.of("target");
            case RB_LATENCY_REPORT -> List.of("latencyMs");
        };
        return List.copyOf(pairs.keySet()).equals(keys)
                && !pairs.getOrDefault("request", "some").isBlank();
    }

    String text(String key) {
        String value = pairs.get(key);
        if (value == null) {
            throw new IllegalArgumentException("there is no " + key + "=");
        }
        return value;
    }

    /* Accepts only the form in which Long.toString writes numbers. */
    long number(String key) {
        String value = text(key);
        try {
            long number = Long.parseLong(value);
            if (Long.toString(number).equals(value)) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw new IllegalArgumentException(key + " is '" + value + "', not a number", notANumber);
        }
        throw new IllegalArgumentException(key + " is '" + value + "', not a plain number");
    }

    int count(String key) {
        long value = number(key);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(key + " is " + value + ", not a count");
        }
        return (int) value;
    }
}
