package io.tidegate.processes;

import java.nio.file.Path;

/**
 * The instructions for a process that shares a cap, as a line of text.
 *
 * @param port the port of its proxy to the server
 * @param name the name of the cap, and of its schema if there is one
 * @param history the file for its claims and operations
 */
record CapOrder(
        Engine engine,
        int port,
        String name,
        int cap,
        long leaseMillis,
        boolean strict,
        boolean rejects,
        CapTwin twin,
        Path history) {

    String text() {
        return String.join(
                " ",
                engine.name(),
                Integer.toString(port),
                name,
                Integer.toString(cap),
                Long.toString(leaseMillis),
                Boolean.toString(strict),
                Boolean.toString(rejects),
                twin.name(),
                history.toString());
    }

    static CapOrder parse(String text) {
        String[] words = text.split(" ", 9);
        return new CapOrder(
                Engine.valueOf(words[0]),
                Integer.parseInt(words[1]),
                words[2],
                Integer.parseInt(words[3]),
                Long.parseLong(words[4]),
                Boolean.parseBoolean(words[5]),
                Boolean.parseBoolean(words[6]),
                CapTwin.valueOf(words[7]),
                Path.of(words[8]));
    }
}
