package io.tidegate.gate;

import static java.util.Objects.requireNonNull;

/** The names of parts. */
public final class Names {
    private Names() {}

    /**
     * Returns the name, if it is valid.
     *
     * @throws IllegalArgumentException if it is blank
     */
    public static String require(String name) {
        if (requireNonNull(name, "name").isBlank()) {
            throw new IllegalArgumentException("name: '" + name + "' (expected: not blank)");
        }
        return name;
    }
}
