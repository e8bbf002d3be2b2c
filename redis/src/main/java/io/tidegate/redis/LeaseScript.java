package io.tidegate.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/** What the server is asked to do; each is a file beside this class, after {@code domain.lua}. */
enum LeaseScript {
    ACQUIRE,
    SUCCEED,
    FAIL,
    RENEW,
    INSPECT,
    FORGET,
    REPLAY;

    private final String text;

    LeaseScript() {
        text = read("domain") + read(toString());
    }

    String text() {
        return text;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private static String read(String name) {
        String file = name + ".lua";
        try (InputStream stream = requireNonNull(LeaseScript.class.getResourceAsStream(file), file)) {
            return new String(stream.readAllBytes(), US_ASCII);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
