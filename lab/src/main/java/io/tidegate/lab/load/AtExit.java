package io.tidegate.lab.load;

/** Makes sure that something is closed: together with this object, or when the process ends earlier, as by Ctrl-C. */
public final class AtExit implements AutoCloseable {
    private final Runnable closing;
    private final Thread hook;
    private volatile boolean ending;

    /** @param closing may run twice, and at the same time as what it closes */
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
            // The process may already have ended something that the closing uses, such as a database in it.
        }
    }

    /** Whether the process is ending: failures are expected from now on. */
    public boolean isEnding() {
        return ending;
    }

    @Override
    public void close() {
        closing.run();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endingAlready) {
            // The shutdown hook closes the same, or has closed it.
        }
    }
}
