package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.testkit.SharedWorkLeaseContract;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The contract of shared leases, on each database. */
class ContractTest {
    abstract static class OnDatabase extends SharedWorkLeaseContract {
        private final Kind kind;
        private final List<TestDatabase> opened = new ArrayList<>();

        OnDatabase(Kind kind) {
            this.kind = kind;
        }

        @Override
        protected void openStore() {
            opened.add(TestDatabase.create(kind));
        }

        @Override
        protected void restartStore() {
            last().restart();
        }

        @Override
        protected SharedWorkLease lease(String name, int maxRetries, String owner, Duration leaseDuration) {
            return JdbcWorkLease.builder(last().pool(), name, maxRetries)
                    .owner(owner)
                    .leaseDuration(leaseDuration)
                    .build();
        }

        @Override
        protected void pass(Duration time) {
            last().pass(time);
        }

        private TestDatabase last() {
            return opened.get(opened.size() - 1);
        }

        @Override
        protected int longBacklog() {
            return 300;
        }

        /** The scripts are the same on all databases, so a few on each are enough. */
        @Override
        protected int scripts() {
            return 4;
        }

        @AfterEach
        void close() {
            opened.forEach(database -> assertThat(database.connectionsInUse()).isZero());
            opened.forEach(TestDatabase::close);
        }
    }

    @Nested
    @Tag("long") // the same engine as below, except for the file
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
