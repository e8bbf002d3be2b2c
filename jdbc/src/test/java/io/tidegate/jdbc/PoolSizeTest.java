package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import java.io.PrintWriter;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PoolSizeTest {
    /** A pool with another method for its size. */
    public static final class OtherPool implements DataSource {
        private final int most;

        OtherPool(int most) {
            this.most = most;
        }

        public int getMaxTotal() {
            return most;
        }

        @Override
        public Connection getConnection() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Connection getConnection(String user, String password) {
            throw new UnsupportedOperationException();
        }

        @Override
        public PrintWriter getLogWriter() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLogWriter(PrintWriter out) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setLoginTimeout(int seconds) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getLoginTimeout() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Logger getParentLogger() {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isWrapperFor(Class<?> type) {
            return false;
        }
    }

    @Test
    void of_pools_isTheirLimit() {
        try (HikariDataSource pool = new HikariDataSource()) {
            pool.setMaximumPoolSize(7);
            assertThat(PoolSize.of(pool)).hasValue(7);
        }
        assertThat(PoolSize.of(new OtherPool(3))).hasValue(3);
        assertThat(PoolSize.of(new OtherPool(-1))).isEmpty();
        assertThat(PoolSize.of(new JdbcDataSource())).isEmpty();
    }

    @Test
    @DisplayName("WR-6 a pool as small as the number of task threads is reported when the runner is built")
    void runner_poolNotLargerThanThreads_isReported() {
        try (TestDatabase database = TestDatabase.create(Kind.H2_MEMORY)) {
            assertThat(errors(database, 9)).isEmpty();
            assertThat(errors(database, 10))
                    .containsExactly("connections: 10 (expected: more than the executor's 10 threads, if tasks take"
                            + " connections of the same pool: or none is left to prolong leases with)");
        }
    }

    private static List<String> errors(TestDatabase database, int threads) {
        List<String> messages = new ArrayList<>();
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try {
            LeaseRunner.builder(
                            JdbcWorkLease.builder(database.pool(), "orders", 0).build(),
                            work -> {},
                            executor,
                            scheduler)
                    .listener(new LeaseRunnerListener() {
                        @Override
                        public void onError(String domainId, Throwable error) {
                            messages.add(error.getMessage());
                        }
                    })
                    .build()
                    .close();
        } finally {
            executor.shutdown();
            scheduler.shutdown();
        }
        return messages;
    }
}
