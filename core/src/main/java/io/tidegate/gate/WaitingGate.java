package io.tidegate.gate;

/** A gate before which calls may wait, in order of arrival. */
public interface WaitingGate extends Gate {
    /** What {@link #enter(Waiter, long)} returns for a call that waits. */
    long WAITS = Long.MIN_VALUE;

    /** Whether calls may wait; otherwise {@link #enter()} is enough. */
    boolean letsWait();

    /**
     * As {@link #enter()}, for a call that may wait for {@code longestNanos}, if the gate allows that. Another thread
     * continues a waiting call by {@link Waiter#admit} and {@link Waiter#run}, perhaps before this method returns. The
     * stamp of such a call is 0.
     *
     * @return a stamp, {@link #WAITS}, or another negative number: refused
     */
    long enter(Waiter waiter, long longestNanos);

    /** Takes out of the queue a call that no longer waits; does nothing if it is not there. */
    void giveUp(Waiter waiter);

    /** A waiting call. */
    interface Waiter extends Runnable {
        /**
         * Admits the call, unless it no longer waits. Returns whether it was admitted. Called with locks held, so it
         * takes only a few instructions.
         */
        boolean admit();

        /** Continues the call after its admission. Called with no lock held. */
        @Override
        void run();
    }
}
