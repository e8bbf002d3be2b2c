package io.tidegate.lab.play;

import java.util.List;
import java.util.Map;

/** Something to play with: load, a service and parts. The parts are in the registry while the stage is open. */
interface Stage extends AutoCloseable {
    /** What it is called in requests. */
    String name();

    /** Its title on the page. */
    String title();

    /** Makes the calls that are due. Called regularly, by one thread. */
    void tick();

    /** The lanes of calls that are shown. */
    List<Lane> lanes();

    /** The sliders. */
    default List<Dial> dials() {
        return List.of();
    }

    /** What else is shown. */
    default Map<String, Object> more() {
        return Map.of();
    }

    /** Whether {@code kill} kills something here. */
    default boolean canKill() {
        return false;
    }

    /**
     * Kills a worker or member, and returns its name.
     *
     * @throws IllegalArgumentException if there is none
     */
    default String kill() {
        throw new IllegalArgumentException("kill: " + name() + " (expected: a stage with workers)");
    }

    @Override
    void close();
}
