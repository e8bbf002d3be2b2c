package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.tidegate.cluster.CapStore;
import io.tidegate.cluster.CapStore.Member;
import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.relay.ClaimBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Migrates caps in tables of earlier versions, and lets members of these versions claim beside those of today. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class CapMigrationTest {
    private static final long MINUTE = 60_000;

    private static final String COLUMNS = """
            select string_agg(concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default), ', '
                order by table_name, column_name)
            from information_schema.columns where table_schema = current_schema() and table_name like 'tidegate_%'
            """;

    private static final String ROUTINES = """
            select string_agg(concat_ws(' ', proname, pg_get_function_arguments(p.oid)), ', '
                order by proname, pg_get_function_arguments(p.oid))
            from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = current_schema()
            """;

    /** Returns the call by which a process of that version claims. */
    private static String claimOf(int version) {
        return version == 3
                ? "select granted from tidegate_claim_slice('pay', 'old', 4, 7, 2, 2, 2, false, 60000)"
                : "call tidegate_claim('pay', 'old', 4, 7, 2, 2, 2, false, 60000, null, null, null, null)";
    }

    private static void run(TestDatabase database, String file) throws IOException {
        try (InputStream script = CapMigrationTest.class.getResourceAsStream("landed/postgresql/" + file)) {
            database.execute(new String(script.readAllBytes(), UTF_8));
        }
    }

    @ParameterizedTest(name = "from version {0}")
    @ValueSource(ints = {3, 4})
    @DisplayName("a cap keeps its members and what they hold; old and new members claim on, never above it")
    void migrate_fromEarlier_keepsSlices(int version) throws IOException {
        try (TestDatabase database = TestDatabase.empty(Kind.POSTGRES)) {
            run(database, "V2__lease.sql");
            run(database, "V" + version + "__cluster.sql");
            database.execute("insert into tidegate_cap (name, cap) values ('pay', 7)");
            database.execute(
                    "insert into tidegate_slice (name, owner, number, slice, held, need, exact, turn_at, asked_at,"
                            + " lease_until" + (version == 3 ? "" : ", lack")
                            + ") values ('pay', 'old', 3, 2, 2, 2, false, 1000, 1000,"
                            + " tidegate_now() + 3600000" + (version == 3 ? "" : ", 0") + ")");

            JdbcWorkLease.migrate(database.pool());
            JdbcWorkLease.migrate(database.pool());
            try (TestDatabase fresh = TestDatabase.create(Kind.POSTGRES)) {
                assertThat(database.text(COLUMNS)).isEqualTo(fresh.text(COLUMNS));
                assertThat(database.text(ROUTINES)).isEqualTo(fresh.text(ROUTINES));
            }

            CapStore caps = JdbcCapStore.of(database.pool());
            assertThat(caps.inspect("pay").orElseThrow().cap()).isEqualTo(7);
            assertThat(caps.inspect("pay").orElseThrow().members())
                    .extracting(Member::owner, Member::slice)
                    .containsExactly(tuple("old", 2));
            assertThat(caps.claim(ClaimBuilder.of("pay", "new")
                                    .firstCap(7)
                                    .need(7)
                                    .leaseMillis(MINUTE)
                                    .made())
                            .granted())
                    .as("what the old one does not have")
                    .isEqualTo(5);
            assertThat(database.number(claimOf(version))).isEqualTo(2);
            assertThat(caps.inspect("pay").orElseThrow().held()).isEqualTo(7);
            caps.leave("pay", "new");
            assertThat(caps.inspect("pay").orElseThrow().held()).isEqualTo(2);
        }
    }
}
