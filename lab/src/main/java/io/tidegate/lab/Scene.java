package io.tidegate.lab;

import java.io.IOException;
import java.util.Optional;

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

    /** Returns the same, with its parts read by the recorder; empty if it has nothing to be recorded. */
    default Optional<Scene> recordedBy(Recorder recorder) {
        return Optional.empty();
    }
}
