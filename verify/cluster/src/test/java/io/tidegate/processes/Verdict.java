package io.tidegate.processes;

import java.util.Optional;

/** What came of a run: what is wrong with it, if anything is, and what it went through. */
record Verdict(Optional<String> breach, Facts facts, Extras extras) {
    /**
     * How much there was to see.
     *
     * @param takeOvers of leases that had run out, as far as they were told
     * @param unanswered operations of which nobody knows whether they happened
     * @param refusedWrites writes that the resource refused, of workers that had lost their lease
     */
    record Facts(int processed, int failed, int takeOvers, int unanswered, int refusedWrites) {}

    /**
     * What was done beside the work.
     *
     * @param booked successes that are one transaction with a row
     * @param aside leases of the other name, whose domains are deleted
     */
    record Extras(int booked, int forgotten, int replayed, int aside) {}
}
