package io.tidegate;

/**
 * Says whether it could be made anew and nobody would notice. What the library makes for users and keeps a state does.
 */
public interface Idle {
    /**
     * Whether nothing is in flight and nothing is remembered: true at one instant during the call, as far as counts
     * tell.
     */
    boolean isIdle();
}
