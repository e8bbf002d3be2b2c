package io.tidegate.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/** A script in Lua, and the digest by which a server recognises it once it has seen its text. */
final class Script {
    private final String name;
    private final String text;
    private final String digest;

    private Script(String name, String text) {
        this.name = name;
        this.text = text;
        this.digest = Base16.digest(text.getBytes(US_ASCII));
    }

    /**
     * Reads a script from files beside this class: the part that several scripts share, its own part, and the code that
     * calls it. The script has the name of its own part. That part returns a list of words without blanks, which the
     * script answers as one text: a client that has lost a part of a list, and sends the call again, would mix up the
     * two lists.
     */
    static Script read(String shared, String own) {
        return new Script(own, file(shared) + function("answer", own) + file("calls"));
    }

    /** Reads a script that calls other scripts as functions, by their names. */
    static Script read(String shared, List<String> others, String own) {
        String called = others.stream().map(other -> function(other, other)).collect(Collectors.joining());
        return new Script(own, file(shared) + called + function("answer", own) + file("calls"));
    }

    private static String function(String name, String body) {
        return "local function " + name + "(...)\n" + file(body) + "end\n";
    }

    String text() {
        return text;
    }

    String digest() {
        return digest;
    }

    @Override
    public String toString() {
        return name;
    }

    private static String file(String name) {
        String file = name + ".lua";
        try (InputStream stream = requireNonNull(Script.class.getResourceAsStream(file), file)) {
            return new String(stream.readAllBytes(), US_ASCII);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
