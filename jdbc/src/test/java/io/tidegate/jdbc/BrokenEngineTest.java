package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.TestDatabase.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Puts one fault at a time into the scripts, to show that the tests which ours pass catch it. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class BrokenEngineTest {
    private static final int MOST_ROUNDS = 1_000;

    /**
     * Finds a row at its place. If the row was changed because its lock is missing, this finds nothing, and no history
     * shows the missing lock. So a script with that fault looks for the id instead.
     */
    private static final String FOUND_ROW =
            "ctid = (select ctid from tidegate_domain where id >= d.id and id <= d.id order by id desc limit 1)";

    enum PostgresFault {
        ROW_NOT_LOCKED("order by name desc limit 1 for update;", "order by name desc limit 1;"),
        FENCE_KEPT_BY_TAKE_OVER(
                "fence = nextval('tidegate_fence')", "fence = coalesce(fence, nextval('tidegate_fence'))"),
        FAILED_NOT_LOOKED_FOR(
                "if known and exists (select from tidegate_failed where domain_id ="
                        + " d.id and work_offset = p_offset) then",
                "if false then"),
        PROCESSED_NOT_REMEMBERED(
                "perform tidegate_free(tidegate_add_processed(d, d.lease_offset), p_token, code, head);",
                "perform tidegate_free(d, p_token, code, head);"),
        TOKEN_NOT_COMPARED(
                "if d.fence || '.' || d.secret = p_token then\n        head",
                "if d.secret is not null then\n        head");

        private final String right;
        private final String wrong;

        PostgresFault(String right, String wrong) {
            this.right = right;
            this.wrong = wrong;
        }
    }

    enum MariaDbFault {
        ROW_NOT_LOCKED("and name = p_name for update;", "and name = p_name;"),
        TOKEN_KEPT_BY_TAKE_OVER(
                "o_token = concat(o_fence, '.', p_secret)",
                "o_token = coalesce(d_token, concat(o_fence, '.', p_secret))"),
        FENCE_KEPT_BY_TAKE_OVER("o_fence = d_last_fence + 1", "o_fence = coalesce(d_fence, d_last_fence + 1)"),
        FAILED_NOT_LOOKED_FOR(
                "if is_known and exists (select 1 from tidegate_failed where domain_id = d_id and work_offset ="
                        + " p_offset lock in share mode) then",
                "if false then"),
        PROCESSED_NOT_REMEMBERED("if d_forgotten is null or d_offset > d_forgotten then", "if false then"),
        TOKEN_NOT_COMPARED(
                "if d_token = p_token then\n        if d_waiting", "if d_token is not null then\n        if d_waiting");

        private final String right;
        private final String wrong;

        MariaDbFault(String right, String wrong) {
            this.right = right;
            this.wrong = wrong;
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyOwners_brokenPostgres_isCaught(PostgresFault fault) throws Exception {
        assertCaught(Kind.POSTGRES, new PostgresEngine(), fault.right, fault.wrong);
    }

    @ParameterizedTest
    @EnumSource
    void manyOwners_brokenMariaDb_isCaught(MariaDbFault fault) throws Exception {
        assertCaught(Kind.MARIADB, new MariaDbEngine("MariaDB"), fault.right, fault.wrong);
    }

    private static void assertCaught(Kind kind, Engine engine, String right, String wrong) throws Exception {
        String script = script(engine);
        assertThat(script).contains(right);
        boolean caught = false;
        try (TestDatabase database = TestDatabase.empty(kind)) {
            for (String sql : engine.statements(script.replace(right, wrong))) {
                database.execute(sql);
            }
            for (int round = 0; round < MOST_ROUNDS && !caught; round++) {
                caught = ManyOwners.run(database.pool(), round).breach().isPresent();
                database.deleteAll();
            }
        }
        assertThat(caught).isTrue();
    }

    private static String script(Engine engine) throws IOException {
        StringBuilder script = new StringBuilder();
        for (String file : engine.scripts(Schema.LEASE, 0)) {
            try (InputStream part = Schema.class.getResourceAsStream(engine.name() + "/" + file)) {
                script.append(new String(part.readAllBytes(), UTF_8));
            }
        }
        return script.toString().replace(FOUND_ROW, "id = d.id");
    }
}
