package io.tidegate.gate;

/** A gate before which calls may wait, in order of arrival. */
public interface WaitingGate extends Gate {
    /** What {@link #enter(Waiter, long)} returns for a call that waits. */
    long WAITS = Long.MIN_VALUE;

    /** Whether calls may wait; otherwise {@link #enter()} is enough. */
    boolean letsWait();

    /**
     * As {@link #enter()}, for a call that may wait; but no longer than this, and no longer than the gate allows. A
     * waiting call is continued by {@link Waiter#admit} and {@link Waiter#run} from another thread, perhaps before this
     * returns. Its stamp is then 0.
     *
     * @return a stamp, {@link #WAITS}, or another negative number: refused
     */
    long enter(Waiter waiter, long longestNanos);

    /** Takes a call that gives up out of the queue; does nothing if it is not there. */
    void giveUp(Waiter waiter);

    /** A waiting call. */
    interface Waiter extends Runnable {
        /**
         * Admits the call, unless it no longer waits; returns whether it did. A few instructions, called with locks
         * held.
         */
        boolean admit();

        /** Continues the call after its admission. Called with no lock held. */
        @Override
        void run();
    }
}
