package io.tidegate.gate;

/** A gate before which calls may wait, in order of arrival. */
public interface WaitingGate extends Gate {
    /** What {@link #enter(Waiter, long)} answers to one that waits. */
    long WAITS = Long.MIN_VALUE;

    /** Whether anybody may wait; otherwise {@link #enter()} says all there is to say. */
    boolean letsWait();

    /**
     * As {@link #enter()}, for one that would wait; but for no longer than this, and no longer than the gate lets
     * anybody wait. One that waits is told by {@link Waiter#admit} and {@link Waiter#run} from another thread, perhaps
     * before this returns. Its stamp is then 0.
     *
     * @return a stamp, {@link #WAITS}, or another negative number: refused
     */
    long enter(Waiter waiter, long longestNanos);

    /** Takes one out of the line, who does not wait any more; nothing if it is not there. */
    void giveUp(Waiter waiter);

    /** One who waits. */
    interface Waiter extends Runnable {
        /**
         * It is let in, unless it does not wait any more: whether it is. A few instructions, called with locks held.
         */
        boolean admit();

        /** Goes on, once it was let in. Called with nothing held. */
        @Override
        void run();
    }
}
