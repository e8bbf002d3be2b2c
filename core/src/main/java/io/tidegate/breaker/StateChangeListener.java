package io.tidegate.breaker;

/**
 * Called once for each state change, by the thread that made it, after the new state is visible and with no lock held.
 */
@FunctionalInterface
public interface StateChangeListener {
    /**
     * A breaker changed its state. What this throws is dropped.
     *
     * @param name the breaker's name
     * @param from the state before
     * @param to the state after
     */
    void onStateChange(String name, State from, State to);
}
