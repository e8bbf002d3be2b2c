package io.tidegate.evidence;

import java.io.PrintStream;

/** Shows progress: one line that rewrites itself on a terminal, elsewhere a line now and then. */
final class ProgressLine {
    private static final long PLAIN_NANOS = 10_000_000_000L;

    private final PrintStream out;
    private final boolean terminal;
    private final long begun = System.nanoTime();
    private long shownAt = begun;
    private int width;

    ProgressLine(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    void show(String text) {
        long now = System.nanoTime();
        String line = text + ", " + (now - begun) / 1_000_000_000L + " s";
        if (terminal) {
            // The spaces erase the rest of a longer line.
            out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            out.flush();
            width = line.length();
        } else if (now - shownAt >= PLAIN_NANOS) {
            out.println(line);
            shownAt = now;
        }
    }

    /** Shows the last state, and ends the line. */
    void end(String text) {
        shownAt = System.nanoTime() - PLAIN_NANOS;
        show(text);
        if (terminal) {
            out.println();
        }
    }
}
