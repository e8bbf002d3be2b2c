package io.tidegate.lab;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The arguments of the lab.
 *
 * @param scene the name of a scene
 * @param help whether to list the scenes and options
 * @param open whether to start the page
 * @param headless whether to play a scene even if there is a display
 * @param json whether to print figures for machines
 * @param tour the tour that the page plays before it ends
 * @param port the port of the page; 0 for any free port
 * @param record where to write what the parts of a scene reported
 * @param out where to write the page of a scene
 * @param store where leases are kept
 */
record Options(
        Optional<String> scene,
        boolean help,
        boolean open,
        boolean headless,
        boolean json,
        Optional<String> tour,
        int port,
        Optional<String> record,
        Optional<String> out,
        Optional<String> store) {
    private static final int HIGHEST_PORT = 65_535;

    /**
     * Reads the arguments.
     *
     * @throws IllegalArgumentException if they are not understood, with a message that says why
     */
    static Options parse(String... args) {
        Deque<String> words = new ArrayDeque<>(List.of(args));
        Options options = new Options(
                Optional.empty(),
                false,
                false,
                false,
                false,
                Optional.empty(),
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        while (!words.isEmpty()) {
            options = options.with(words.remove(), words);
        }
        return options.checked();
    }

    private Options with(String word, Deque<String> rest) {
        return switch (word) {
            case "help", "--help", "-h" ->
                new Options(scene, true, open, headless, json, tour, port, record, out, store);
            case "--open" -> new Options(scene, help, true, headless, json, tour, port, record, out, store);
            case "--headless" -> new Options(scene, help, open, true, json, tour, port, record, out, store);
            case "--json" -> new Options(scene, help, open, headless, true, tour, port, record, out, store);
            case "--tour" ->
                new Options(scene, help, true, headless, json, value(word, rest), port, record, out, store);
            case "--port" ->
                new Options(scene, help, open, headless, json, tour, port(value(word, rest)), record, out, store);
            case "--record" ->
                new Options(scene, help, open, headless, json, tour, port, value(word, rest), out, store);
            case "--out" ->
                new Options(scene, help, open, headless, json, tour, port, record, value(word, rest), store);
            case "--store" ->
                new Options(scene, help, open, headless, json, tour, port, record, out, value(word, rest));
            default -> withScene(word);
        };
    }

    private Options withScene(String word) {
        if (word.startsWith("-") || scene.isPresent()) {
            throw new IllegalArgumentException("option: " + word + " (expected: one of those below)");
        }
        return new Options(Optional.of(word), help, open, headless, json, tour, port, record, out, store);
    }

    private static Optional<String> value(String option, Deque<String> rest) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(option + ": nothing (expected: a value after it)");
        }
        return Optional.of(rest.remove());
    }

    private static int port(Optional<String> text) {
        try {
            int port = Integer.parseInt(text.orElseThrow());
            if (port >= 0 && port <= HIGHEST_PORT) {
                return port;
            }
        } catch (NumberFormatException refusedBelow) {
            // Said in the same words.
        }
        throw new IllegalArgumentException("--port: " + text.orElseThrow() + " (expected: 0 to " + HIGHEST_PORT + ")");
    }

    private Options checked() {
        if (open && (scene.isPresent() || headless || json)) {
            throw new IllegalArgumentException(
                    "--open: with a scene, --headless or --json (expected: the page or a scene)");
        }
        return this;
    }
}
