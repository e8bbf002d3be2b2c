package io.tidegate.testkit;

import io.tidegate.lease.ReferenceLease;
import io.tidegate.lease.TokenSource;
import io.tidegate.lease.WorkLease;
import io.tidegate.lease.broken.LeaseFactory;
import java.time.Clock;
import org.junit.jupiter.api.Nested;

/** The contract, on Tidegate's leases in memory and on the reference that they are compared with. */
class LeaseContractTest {
    @Nested
    class InMemory extends WorkLeaseContract {
        @Override
        protected WorkLease open(int maxRetries) {
            return WorkLease.inMemory(maxRetries);
        }
    }

    @Nested
    class InMemorySources extends WorkLeaseSourcesContract {
        @Override
        protected WorkLease open(int maxRetries, Clock clock, TokenSource tokens) {
            return LeaseFactory.TIDEGATE.create(maxRetries, clock, tokens);
        }
    }

    @Nested
    class Reference extends WorkLeaseContract {
        @Override
        protected WorkLease open(int maxRetries) {
            LeaseFactory factory = ReferenceLease::new;
            return factory.create(maxRetries);
        }

        /** Short, because the reference searches the whole backlog each time. */
        @Override
        protected int longBacklog() {
            return 1_000;
        }
    }

    @Nested
    class ReferenceSources extends WorkLeaseSourcesContract {
        @Override
        protected WorkLease open(int maxRetries, Clock clock, TokenSource tokens) {
            return new ReferenceLease(maxRetries, clock, tokens);
        }
    }
}
