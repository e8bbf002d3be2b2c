package io.tidegate.lab.play;

import java.util.List;
import java.util.Map;

/** Something to play with: load, a service and parts, which are in the registry while it is there. */
interface Stage extends AutoCloseable {
    /** What it is called in requests. */
    String name();

    /** What is shown. */
    String title();

    /** Sends what is due. Called again and again, by one thread. */
    void tick();

    /** The ways that calls go. */
    List<Lane> lanes();

    /** What can be turned here. */
    default List<Dial> dials() {
        return List.of();
    }

    /** What else is to be seen. */
    default Map<String, Object> more() {
        return Map.of();
    }

    /** Whether {@code kill} kills something here. */
    default boolean canKill() {
        return false;
    }

    /**
     * Kills one of those who do the work here, and says which.
     *
     * @throws IllegalArgumentException if there is none
     */
    default String kill() {
        throw new IllegalArgumentException("kill: " + name() + " (expected: a stage with workers)");
    }

    @Override
    void close();
}
