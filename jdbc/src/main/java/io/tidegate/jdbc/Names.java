package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;

/** Names that a database can tell apart as well as Java can. */
final class Names {
    private Names() {}

    /** What every database here can keep in an index, whatever the characters are. */
    private static final int MOST_CHARACTERS = 500;

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
}
