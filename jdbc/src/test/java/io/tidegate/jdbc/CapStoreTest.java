package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidegate.jdbc.JdbcLeaseException.Reason;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.remote.CapStore;
import io.tidegate.testkit.CapStoreContract;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What every store of shared caps must do, on PostgreSQL. */
class CapStoreTest extends CapStoreContract {
    private final List<TestDatabase> opened = new ArrayList<>();

    @Override
    protected CapStore open() {
        opened.add(TestDatabase.create(Kind.POSTGRES));
        return JdbcCapStore.of(last().pool());
    }

    private TestDatabase last() {
        return opened.get(opened.size() - 1);
    }

    /** All times there are become earlier, which is the same. */
    @Override
    protected void pass(long millis) {
        last().execute("update tidegate_slice set lease_until = lease_until - " + millis + ", turn_at = turn_at - "
                + millis);
    }

    @AfterEach
    void close() {
        opened.forEach(database -> assertThat(database.connectionsInUse()).isZero());
        opened.forEach(TestDatabase::close);
    }

    @Test
    @DisplayName("a database that only has the tables of the work lease says how to get the others")
    void of_tablesOfVersionOne_saysSo() {
        open();
        last().execute("drop table tidegate_cap, tidegate_slice");
        last().execute("delete from tidegate_schema where version = 2");

        assertThatThrownBy(() -> JdbcCapStore.of(last().pool()))
                .isInstanceOfSatisfying(
                        JdbcLeaseException.class,
                        thrown -> assertThat(thrown.reason()).isEqualTo(Reason.SCHEMA_TOO_OLD))
                .hasMessageContaining("version 1 (expected: 2), run JdbcWorkLease.migrate(dataSource)");
        assertThat(JdbcWorkLease.builder(last().pool(), 0).build().inspect("A")).isEmpty();
    }

    @Test
    @DisplayName("another database is refused")
    void of_otherDatabase_isRefused() {
        opened.add(TestDatabase.create(Kind.H2_MEMORY));

        assertThatThrownBy(() -> JdbcCapStore.of(last().pool()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dataSource: H2 (expected: PostgreSQL)");
    }
}
