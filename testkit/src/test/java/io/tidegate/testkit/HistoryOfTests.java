package io.tidegate.testkit;

import io.tidegate.lease.WorkLease;
import java.util.function.UnaryOperator;

/** Records what core's own tests ask of a lease, when they run here, and looks at it at their end. */
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
