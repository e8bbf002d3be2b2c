package io.tidegate.lease.runner;

import io.tidegate.lease.WorkLease;
import java.util.function.UnaryOperator;

/**
 * Whoever looks at what tests ask of a lease. Here nobody does; the testkit runs these tests again with its history, named by a system
 * property, as core cannot depend on it. What is named has one lease to record, and checks what it recorded when it is run.
 */
final class LeaseWatch {
    private static final String WATCH = System.getProperty("tidegate.leaseWatch", "");

    final WorkLease lease;
    private final Runnable check;

    @SuppressWarnings("unchecked") // whoever sets the property names such a class
    LeaseWatch(WorkLease lease) {
        if (WATCH.isEmpty()) {
            this.lease = lease;
            this.check = () -> {};
            return;
        }
        try {
            Object watch = Class.forName(WATCH)
                    .asSubclass(Runnable.class)
                    .getConstructor()
                    .newInstance();
            this.lease = ((UnaryOperator<WorkLease>) watch).apply(lease);
            this.check = (Runnable) watch;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(WATCH, e);
        }
    }

    void check() {
        check.run();
    }
}
