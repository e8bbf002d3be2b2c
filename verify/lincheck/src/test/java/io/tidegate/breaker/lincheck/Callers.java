package io.tidegate.breaker.lincheck;

/** Three callers of one breaker, each with one call at a time, and the breaker's clock. */
interface Callers {
    /** Begins a call; false if the call is refused, or if the caller has one under way. */
    boolean begin(int caller);

    /** Ends the caller's call with a success; false if there is none. */
    boolean succeed(int caller);

    /** Ends the caller's call with a failure; false if there is none. */
    boolean fail(int caller);

    /** Lets the open time pass. */
    void tick();
}
