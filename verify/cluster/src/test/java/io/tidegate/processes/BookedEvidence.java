package io.tidegate.processes;

import io.tidegate.lease.AcquireResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks that work and its success were committed together, or neither was. */
final class BookedEvidence {
    private final List<Books.Entry> reported;
    private final List<Books.Entry> booked;

    /**
     * Makes the evidence of a run.
     *
     * @param reported the entries that workers know to be committed
     * @param booked the entries that are there in the end
     */
    BookedEvidence(List<Books.Entry> reported, List<Books.Entry> booked) {
        this.reported = reported;
        this.booked = booked;
    }

    Optional<String> breach(Map<Load.Item, AcquireResult> ends) {
        Map<String, AcquireResult> endOf = new HashMap<>();
        ends.forEach((item, end) -> endOf.put(item.domainId() + " " + item.offset(), end));
        Set<String> once = new HashSet<>();
        for (Books.Entry entry : booked) {
            String work = entry.domainId() + " " + entry.offset();
            if (!once.add(work)) {
                return Optional.of("booked twice: " + entry);
            }
            if (!(endOf.get(work) instanceof AcquireResult.AlreadyProcessed)) {
                return Optional.of("booked, and not processed: " + entry + " is " + endOf.get(work));
            }
        }
        return reported.stream()
                .filter(entry -> !booked.contains(entry))
                .findFirst()
                .map(entry -> "committed, and not booked: " + entry);
    }
}
