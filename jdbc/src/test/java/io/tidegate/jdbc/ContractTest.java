package io.tidegate.jdbc;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.WorkLease;
import io.tidegate.testkit.WorkLeaseContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What every lease must do, on each database. */
class ContractTest {
    abstract static class OnDatabase extends WorkLeaseContract {
        private final Kind kind;
        private final List<TestDatabase> opened = new ArrayList<>();
        private int maxRetries;

        OnDatabase(Kind kind) {
            this.kind = kind;
        }

        @Override
        protected WorkLease open(int maxRetries) {
            this.maxRetries = maxRetries;
            opened.add(TestDatabase.create(kind));
            return build();
        }

        @Override
        protected WorkLease restart(WorkLease lease) {
            opened.get(opened.size() - 1).restart();
            return build();
        }

        private WorkLease build() {
            return JdbcWorkLease.builder(opened.get(opened.size() - 1).pool(), "orders", maxRetries)
                    .owner("the only one")
                    .build();
        }

        @Override
        protected boolean repeatsLastFinish() {
            return true;
        }

        @Override
        protected int longBacklog() {
            return 500;
        }

        @AfterEach
        void close() {
            opened.forEach(TestDatabase::close);
        }
    }

    @Nested
    class H2InMemory extends OnDatabase {
        H2InMemory() {
            super(Kind.H2_MEMORY);
        }
    }

    @Nested
    class H2InFile extends OnDatabase {
        H2InFile() {
            super(Kind.H2_FILE);
        }
    }

    @Nested
    class Postgres extends OnDatabase {
        Postgres() {
            super(Kind.POSTGRES);
        }
    }

    @Nested
    class MariaDb extends OnDatabase {
        MariaDb() {
            super(Kind.MARIADB);
        }
    }
}
