package io.tidegate.evidence;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The output of a command. */
final class Printed {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    PrintStream stream() {
        return stream;
    }

    @Override
    public String toString() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
