package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.TestDatabase.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections and databases with other settings than those of the other tests. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ConnectionSettingsTest {
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    @DisplayName("WL-24 after every operation, also a failed one, isolation and auto-commit are as before")
    void operations_anySettings_areKept(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.create(kind);
                Connection connection = database.pool().getConnection()) {
            JdbcWorkLease lease = JdbcWorkLease.builder(OneConnection.of(connection), "orders", 0)
                    .build();
            for (int isolation : List.of(Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE)) {
                connection.setTransactionIsolation(isolation);
                SmokeTest.everyOperation(lease, "domain " + isolation);
                assertThat(connection.getTransactionIsolation()).isEqualTo(isolation);
                assertThat(connection.getAutoCommit()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
    @DisplayName("WL-11 several owners whose pool has the strictest isolation: nothing is wrong, and no call fails")
    void manyOwners_serializable_nothingWrong(Kind kind) throws Exception {
        try (TestDatabase database = TestDatabase.create(kind)) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(database.url());
            if (kind == Kind.H2_MEMORY) {
                config.setUsername("sa");
            }
            config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
            try (HikariDataSource pool = new HikariDataSource(config)) {
                ManyOwners owners = ManyOwners.run(pool, 3);
                assertThat(owners.failures()).isEmpty();
                assertThat(owners.breach()).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("WL-26 H2 in a file that is opened with async: bears threads that are interrupted")
    void h2File_interrupted_goesOn(@TempDir Path folder) throws SQLException {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl("jdbc:h2:async:" + folder.resolve("db") + ";WRITE_DELAY=0");
        source.setUser("sa");
        try (Connection other = source.getConnection()) {
            JdbcWorkLease.migrate(source);
            JdbcWorkLease lease = JdbcWorkLease.builder(source, "orders", 0).build();
            Thread.currentThread().interrupt();
            SmokeTest.everyOperation(lease, "A");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(other.isValid(1)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ";IGNORECASE=TRUE",
                ";DATABASE_TO_UPPER=FALSE",
                ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE",
                ";MODE=MySQL;DATABASE_TO_LOWER=TRUE;CASE_INSENSITIVE_IDENTIFIERS=TRUE",
                ";MODE=Oracle",
                ";MODE=MSSQLServer"
            })
    @DisplayName("WL-11 H2 that takes after another database, or ignores case")
    void h2_anyMode_works(String mode) {
        JdbcDataSource source = new JdbcDataSource();
        source.setUrl("jdbc:h2:mem:" + mode.hashCode() + ";DB_CLOSE_DELAY=-1" + mode);
        source.setUser("sa");
        JdbcWorkLease.migrate(source);
        JdbcWorkLease lease = JdbcWorkLease.builder(source, "orders", 0).build();
        SmokeTest.everyOperation(lease, "a");
        SmokeTest.everyOperation(lease, "A");
        SmokeTest.everyOperation(lease, "a ");
    }
}
