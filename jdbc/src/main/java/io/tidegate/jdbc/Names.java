package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** Names that a database can distinguish as well as Java can. */
final class Names {
    private Names() {}

    /** Fits into an index of every database, whatever the characters are. */
    private static final int MOST_CHARACTERS = 500;

    /** The lease's name is in every row, and in the indexes next to a domain's name. */
    private static final int MOST_CHARACTERS_OF_LEASE = 100;

    /** Longer than any token that the lease gives out. */
    private static final int MOST_CHARACTERS_OF_TOKEN = 100;

    static String requireDomain(String domainId) {
        return require("domainId", domainId);
    }

    static String requireLease(String name) {
        if (requireNonNull(name, "name").isBlank()) {
            throw new IllegalArgumentException("name: \"" + name + "\" (expected: not blank)");
        }
        return requireStorable("name", name, MOST_CHARACTERS_OF_LEASE);
    }

    static String require(String what, String name) {
        if (requireNonNull(name, what).isEmpty()) {
            throw new IllegalArgumentException(what + ": \"\" (expected: not empty)");
        }
        return requireStorable(what, name, MOST_CHARACTERS);
    }

    private static String requireStorable(String what, String name, int mostCharacters) {
        if (name.length() > mostCharacters) {
            throw new IllegalArgumentException(
                    what + ": " + name.length() + " characters (expected: <= " + mostCharacters + ")");
        }
        if (!name.equals(storable(name))) {
            throw new IllegalArgumentException(what + ": " + name + " (expected: valid Unicode without U+0000)");
        }
        return name;
    }

    /** Replaces each character that some database could not store. */
    static String storable(String text) {
        return new String(text.getBytes(UTF_8), UTF_8).replace('\0', '\ufffd');
    }

    /** Returns the token, or an unused one if it cannot be a token of ours: some databases reject such a text. */
    static String tokenOrNone(@Nullable String token) {
        if (token == null
                || token.length() > MOST_CHARACTERS_OF_TOKEN
                || token.chars().anyMatch(character -> character <= ' ' || character > '~')) {
            return "";
        }
        return token;
    }
}
