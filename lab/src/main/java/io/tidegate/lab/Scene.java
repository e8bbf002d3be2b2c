package io.tidegate.lab;

import io.tidegate.lab.guard.Recorder;
import io.tidegate.lab.orders.Store;
import io.tidegate.lab.print.Screen;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** One demonstration. It runs by itself, prints what it measured and leaves nothing running. */
public interface Scene {
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

    /** Returns the same on leases in a store; empty if it has none. */
    default Optional<Scene> on(Store store) {
        return Optional.empty();
    }

    /** Returns the same, which writes a page of what came out into a file; empty if it makes none. */
    default Optional<Scene> writing(Path file) {
        return Optional.empty();
    }
}
