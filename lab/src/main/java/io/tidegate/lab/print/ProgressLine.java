package io.tidegate.lab.print;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Shows progress until closed: one line that rewrites itself on a terminal, a line now and then elsewhere. */
public final class ProgressLine implements AutoCloseable {
    private static final long TERMINAL_MILLIS = 100;
    private static final long PLAIN_MILLIS = 3_000;

    private final Screen screen;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("lab-progress").factory());
    private Supplier<String> text = () -> "";
    private int width;

    public ProgressLine(Screen screen) {
        this.screen = screen;
    }

    /** Shows the present {@code text} again and again. */
    public void start(Supplier<String> text) {
        this.text = text;
        long period = screen.terminal() ? TERMINAL_MILLIS : PLAIN_MILLIS;
        var unused = clock.scheduleAtFixedRate(this::show, period, period, TimeUnit.MILLISECONDS);
    }

    private void show() {
        String line = text.get();
        if (screen.terminal()) {
            // The spaces erase the rest of a longer line.
            screen.out().print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
            screen.out().flush();
            width = line.length();
        } else {
            screen.out().println(line);
        }
    }

    /** Shows the last state and ends the line. */
    @Override
    public void close() {
        clock.shutdownNow();
        clock.close();
        show();
        if (screen.terminal()) {
            screen.out().println();
        }
    }
}
