package io.tidegate.lab;

import io.tidegate.lab.guard.Recorder;
import io.tidegate.lab.orders.Store;
import io.tidegate.lab.print.Screen;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** One demonstration. It runs by itself, prints what it measured and leaves nothing running. */
public interface Scene {
    /** Returns the name of the part that the scene shows. It also chooses the scene on the command line. */
    String name();

    /** Describes the scene in one line. */
    String about();

    /**
     * Runs to its end.
     *
     * @throws IOException if its service cannot be started
     * @throws InterruptedException if this thread is interrupted; everything is stopped by then
     */
    void play(Screen screen) throws IOException, InterruptedException;

    /** Returns the same scene, with its parts read by the recorder; empty if it has nothing to record. */
    default Optional<Scene> recordedBy(Recorder recorder) {
        return Optional.empty();
    }

    /** Returns the same scene on leases in a store; empty if it has no leases. */
    default Optional<Scene> on(Store store) {
        return Optional.empty();
    }

    /** Returns the same scene, which also writes its results to a page in a file; empty if it makes no page. */
    default Optional<Scene> writing(Path file) {
        return Optional.empty();
    }
}
