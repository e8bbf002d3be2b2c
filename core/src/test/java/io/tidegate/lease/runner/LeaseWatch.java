package io.tidegate.lease.runner;

import io.tidegate.lease.WorkLease;
import java.util.function.UnaryOperator;

/**
 * An observer of the calls that tests make of a lease. In core there is none; the testkit runs these tests again with
 * its history as the observer. A system property names it, because core cannot depend on the testkit. The observer
 * records one lease, and checks the record when it is run.
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
