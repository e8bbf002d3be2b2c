package io.tidegate;

/**
 * Says whether a new instance could replace this one without any effect. The stateful parts of the library implement
 * it.
 */
public interface Idle {
    /**
     * Returns whether nothing is in flight and there is no state to keep. The answer was true at one instant during
     * the call.
     */
    boolean isIdle();
}
