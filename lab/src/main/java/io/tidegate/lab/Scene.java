package io.tidegate.lab;

import java.io.IOException;

/** One demonstration. It runs by itself, prints what it measured and leaves nothing running. */
interface Scene {
    /** The name of the part it shows, which is the word that chooses it. */
    String name();

    /** What it shows, in one line. */
    String about();

    /**
     * Runs to its end.
     *
     * @throws IOException if its service cannot be started
     * @throws InterruptedException if this thread is interrupted; everything is stopped by then
     */
    void play(Screen screen) throws IOException, InterruptedException;
}
