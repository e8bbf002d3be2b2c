package io.tidegate.testkit;

import io.tidegate.lease.WorkLease;
import java.util.function.UnaryOperator;

/**
 * Records the calls of core's own tests on a lease, when they run in this module, and checks the history at the end.
 */
public final class HistoryOfTests implements UnaryOperator<WorkLease>, Runnable {
    private final LeaseHistory history = new LeaseHistory();

    /** Called by core's tests. */
    public HistoryOfTests() {}

    @Override
    public WorkLease apply(WorkLease lease) {
        return history.recording(lease);
    }

    @Override
    public void run() {
        history.check(LeaseRules.IN_MEMORY).ifPresent(breach -> {
            throw new AssertionError(breach.toString());
        });
        LeaseHistory.read(history.lines()).check(LeaseRules.IN_MEMORY).ifPresent(breach -> {
            throw new AssertionError("read back from its text: " + breach);
        });
    }
}
