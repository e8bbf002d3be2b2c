package io.tidegate;

/**
 * Says whether an instance could be replaced by a new one without an effect. The parts of the library that have state
 * implement this.
 */
public interface Idle {
    /**
     * Whether nothing is in flight and there is no state to keep: true at one instant during the call, as far as counts
     * show.
     */
    boolean isIdle();
}
