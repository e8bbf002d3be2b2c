package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database that is not as it should be, and what is said then. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class TroubleTest {
    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES"})
    void build_noTables_saysHowToMakeThem(Kind kind) {
        try (TestDatabase database = TestDatabase.empty(kind)) {
            assertFails(
                    Reason.SCHEMA_MISSING,
                    "run JdbcWorkLease.migrate(dataSource)",
                    () -> JdbcWorkLease.builder(database.pool(), 0).build());
            assertThat(database.connectionsInUse()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES"})
    void build_oldTables_saysHowToRenewThem(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            database.execute("update tidegate_schema set version = 0");
            assertFails(
                    Reason.SCHEMA_TOO_OLD,
                    "version 0 (expected: 1), run JdbcWorkLease.migrate(dataSource)",
                    () -> JdbcWorkLease.builder(database.pool(), 0).build());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES"})
    void operation_tablesGone_saysSo(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            JdbcWorkLease lease = JdbcWorkLease.builder(database.pool(), 0).build();
            database.execute("alter table tidegate_failed rename to elsewhere");
            assertFails(Reason.SCHEMA_MISSING, "migrate", () -> lease.tryAcquire("A", 1));
            database.execute("alter table elsewhere rename to tidegate_failed");
            assertThat(lease.inspect("A")).isEmpty();
            assertThat(lease.tryAcquire("A", 1)).isInstanceOf(AcquireResult.Acquired.class);
            assertThat(database.connectionsInUse()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"H2_MEMORY", "POSTGRES"})
    void migrate_again_changesNothing(Kind kind) {
        try (TestDatabase database = TestDatabase.create(kind)) {
            JdbcWorkLease lease = JdbcWorkLease.builder(database.pool(), 0).build();
            lease.tryAcquire("A", 1);
            JdbcWorkLease.migrate(database.pool());
            assertThat(lease.tryAcquire("A", 1).code()).isEqualTo("ALREADY_ACQUIRED");
            assertThat(database.number("select count(*) from tidegate_schema")).isEqualTo(1);
        }
    }

    @Test
    void operation_readOnly_saysSo() {
        try (TestDatabase database = TestDatabase.create(Kind.POSTGRES);
                HikariDataSource readOnly =
                        TestDatabase.newPool(database.url() + "&options=-c%20default_transaction_read_only=on")) {
            JdbcWorkLease lease = JdbcWorkLease.builder(readOnly, 0).build();
            assertFails(Reason.READ_ONLY, "takes no changes", () -> lease.tryAcquire("A", 1));
            assertThat(lease.inspect("A")).isEmpty();
        }
    }

    @Test
    void build_nobodyThere_isAway() {
        PGSimpleDataSource nobody = new PGSimpleDataSource();
        nobody.setUrl(TestDatabase.postgresUrl(1, "nowhere"));
        assertFails(
                Reason.AWAY, "ask again", () -> JdbcWorkLease.builder(nobody, 0).build());
        assertFails(Reason.AWAY, "ask again", () -> JdbcWorkLease.migrate(nobody));
    }

    @Test
    @DisplayName("WL-26 a database in a file that writes later is refused")
    void build_h2WritesLater_isRefused(@TempDir Path folder) {
        JdbcDataSource late = new JdbcDataSource();
        late.setUrl("jdbc:h2:file:" + folder.resolve("db"));
        late.setUser("sa");
        JdbcWorkLease.migrate(late);
        assertFails(
                Reason.NOT_DURABLE,
                "WRITE_DELAY: 500 (expected: 0",
                () -> JdbcWorkLease.builder(late, 0).build());
    }

    @Test
    void builder_misuse_isRefusedAtOnce() {
        JdbcDataSource unused = new JdbcDataSource();
        assertMisuse("maxRetries: -1 (expected: >= 0)", () -> JdbcWorkLease.builder(unused, -1));
        JdbcWorkLease.Builder builder = JdbcWorkLease.builder(unused, 0);
        assertMisuse("owner: \"\" (expected: not empty)", () -> builder.owner(""));
        assertMisuse("duration: PT0S", () -> builder.leaseDuration(Duration.ZERO));
        assertMisuse("duration: PT-1S", () -> builder.leaseDuration(Duration.ofSeconds(-1)));
        assertMisuse("duration: PT", () -> builder.leaseDuration(Duration.ofDays(40_000)));
    }

    @Test
    @DisplayName("WL-11 names that a database could not tell apart are refused")
    void domain_notUnicode_isMisuse() {
        assertMisuse("domainId", () -> new Offer("a\0", 1));
        assertMisuse("domainId", () -> new Offer("\ud83d", 1));
    }

    private static void assertMisuse(String message, ThrowingCallable misuse) {
        assertThatThrownBy(misuse).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(message);
    }

    private static void assertFails(Reason reason, String message, ThrowingCallable operation) {
        assertThatThrownBy(operation)
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        JdbcLeaseException.class,
                        thrown -> assertThat(thrown.reason()).isEqualTo(reason));
    }
}
