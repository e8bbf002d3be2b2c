package io.tidegate.lab.load;

/** Sees that something is closed: when this is, or when the process is told to end before that, as by Ctrl-C. */
public final class AtExit implements AutoCloseable {
    private final Runnable closing;
    private final Thread hook;
    private volatile boolean ending;

    /** @param closing may run twice, and while what it closes is at work */
    public AtExit(Runnable closing) {
        this.closing = closing;
        this.hook = new Thread(this::end, "lab-ending");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private void end() {
        ending = true;
        try {
            closing.run();
        } catch (RuntimeException closedAlready) {
            // Others end with the process, too, such as a database in it.
        }
    }

    /** Whether the process ends: what goes wrong from now on is no news. */
    public boolean isEnding() {
        return ending;
    }

    @Override
    public void close() {
        closing.run();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            // It has closed the same, or will once more.
        }
    }
}
