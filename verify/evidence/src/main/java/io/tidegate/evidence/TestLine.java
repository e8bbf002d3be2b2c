package io.tidegate.evidence;

import java.util.List;

/**
 * An event of a test method, as one line of text.
 *
 * @param what the event
 * @param id distinguishes the method from all others of its JVM
 * @param rules the rules that it names, separated by spaces
 * @param module the folder it ran in
 * @param testClass of the method
 * @param method its name
 * @param name its display name
 * @param millis how long it took
 * @param message why it did not pass
 */
record TestLine(
        What what,
        String id,
        String rules,
        String module,
        String testClass,
        String method,
        String name,
        long millis,
        String message) {
    private static final int FIELDS = 9;

    /** The events: a method is planned once, passes, fails or is skipped each time it runs, and ends once. */
    enum What {
        PLANNED,
        PASSED,
        FAILED,
        SKIPPED,
        ENDED
    }

    String toLine() {
        return String.join(
                "\t",
                what.name(),
                escaped(id),
                rules,
                escaped(module),
                escaped(testClass),
                escaped(method),
                escaped(name),
                Long.toString(millis),
                escaped(message));
    }

    /**
     * Reads a line.
     *
     * @throws IllegalArgumentException if it is not such a line
     */
    static TestLine parse(String line) {
        List<String> fields = List.of(line.split("\t", -1));
        if (fields.size() != FIELDS) {
            throw new IllegalArgumentException("fields: " + fields.size() + " (expected: " + FIELDS + ")");
        }
        return new TestLine(
                What.valueOf(fields.get(0)),
                plain(fields.get(1)),
                fields.get(2),
                plain(fields.get(3)),
                plain(fields.get(4)),
                plain(fields.get(5)),
                plain(fields.get(6)),
                Long.parseLong(fields.get(7)),
                plain(fields.get(8)));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("\t", "\\t")
                .replace("\n", "\\n")
                .replace("\r", "\\r");
    }

    private static String plain(String text) {
        return text.translateEscapes();
    }
}
