package io.tidegate.lab.play;

import java.util.List;
import java.util.Map;

/**
 * Something to play with in the lab: load, a service and parts. The parts are in the registry while the stage is open.
 */
interface Stage extends AutoCloseable {
    /** Returns its name in requests. */
    String name();

    /** Returns its title on the page. */
    String title();

    /** Makes the calls that are due. Called regularly, by one thread. */
    void tick();

    /** Returns the lanes of calls that are shown. */
    List<Lane> lanes();

    /** Returns the sliders. */
    default List<Slider> sliders() {
        return List.of();
    }

    /** Returns what else is shown. */
    default Map<String, Object> more() {
        return Map.of();
    }

    /** Whether {@code kill} is possible here. */
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
