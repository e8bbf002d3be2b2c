package io.tidegate.processes;

import java.util.Optional;

/** The result of a run: what is wrong with it, if anything is, and what happened in it. */
record Verdict(Optional<String> breach, Facts facts, Extras extras) {
    /**
     * How much happened.
     *
     * @param takeOvers leases that had run out and were taken over, as far as answers show it
     * @param unanswered operations of which nobody knows whether they happened
     * @param refusedWrites writes that the resource refused, of workers that had lost their lease
     */
    record Facts(int processed, int failed, int takeOvers, int unanswered, int refusedWrites) {}

    /**
     * What happened beside the work.
     *
     * @param booked successes that were one transaction with an entry
     * @param sideLeases leases of the second set, whose domains are deleted
     */
    record Extras(int booked, int forgotten, int replayed, int sideLeases) {}
}
