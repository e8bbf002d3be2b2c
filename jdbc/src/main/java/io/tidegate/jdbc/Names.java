package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Names that a database can tell apart as well as Java can. */
final class Names {
    private Names() {}

    /** What every database here can keep in an index, whatever the characters are. */
    private static final int MOST_CHARACTERS = 500;

    /** Longer than any that is given out. */
    private static final int MOST_CHARACTERS_OF_TOKEN = 100;

    static String requireDomain(String domainId) {
        return require("domainId", domainId);
    }

    static String require(String what, String name) {
        if (requireNonNull(name, what).isEmpty()) {
            throw new IllegalArgumentException(what + ": \"\" (expected: not empty)");
        }
        if (name.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    what + ": " + name.length() + " characters (expected: <= " + MOST_CHARACTERS + ")");
        }
        if (name.indexOf('\0') >= 0 || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(what + ": " + name + " (expected: valid Unicode without U+0000)");
        }
        return name;
    }

    /** The token; or one that nobody has, if it cannot be one of ours. Not every database could take it, then. */
    static String tokenOrNone(@Nullable String token) {
        if (token == null
                || token.length() > MOST_CHARACTERS_OF_TOKEN
                || token.chars().anyMatch(character -> character <= ' ' || character > '~')) {
            return "";
        }
        return token;
    }
}
