package io.tidegate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The request on the command line. */
record Request(List<Part> parts, Effort effort, boolean write) {
    private static final String QUICK = "--quick";
    private static final String WRITE = "--write";

    /**
     * Reads the words of the command line.
     *
     * @throws IllegalArgumentException for a word that is neither a part nor an option
     */
    static Request parse(List<Part> known, List<String> words) {
        List<Part> parts = new ArrayList<>();
        for (String word : words) {
            if (!word.equals(QUICK) && !word.equals(WRITE)) {
                parts.add(named(known, word));
            }
        }
        return new Request(
                parts.isEmpty() ? known : parts,
                words.contains(QUICK) ? Effort.QUICK : Effort.FULL,
                words.contains(WRITE));
    }

    private static Part named(List<Part> known, String name) {
        return known.stream()
                .filter(part -> part.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("bench: unknown word '" + name + "'"));
    }

    static String usage(List<Part> known) {
        String names = known.stream().map(Part::name).collect(Collectors.joining(", "));
        return """
                usage: ./tidegate bench [part] [--quick] [--write]
                  part     one of: %s (default: all)
                  --quick  a rough table of a part in about 5 minutes instead of 20
                  --write  also into docs/benchmarks.md""".formatted(names);
    }

    /** Returns the command that repeats the measurement of this part. */
    String command(Part part) {
        return "./tidegate bench " + part.name() + (effort == Effort.QUICK ? " " + QUICK : "")
                + (write ? " " + WRITE : "");
    }
}
