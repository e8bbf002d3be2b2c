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

/** PostgreSQL's functions with one fault each, to see that what passes with ours fails with those. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class BrokenEngineTest {
    private static final int MOST_ROUNDS = 20;

    enum Fault {
        ROW_NOT_LOCKED("where name = p_name for update;", "where name = p_name;"),
        TOKEN_KEPT_BY_TAKE_OVER(
                "d.token := d.fence || '.' || p_secret;", "d.token := coalesce(d.token, d.fence || '.' || p_secret);"),
        FENCE_KEPT_BY_TAKE_OVER(
                "d.fence := nextval('tidegate_fence');", "d.fence := coalesce(d.fence, nextval('tidegate_fence'));"),
        FAILED_NOT_LOOKED_FOR(
                "if exists (select from tidegate_failed where domain_id = d.id and work_offset = p_offset) then",
                "if false then"),
        PROCESSED_NOT_REMEMBERED(
                "perform tidegate_free(tidegate_add_processed(d), code, head);",
                "perform tidegate_free(d, code, head);"),
        TOKEN_NOT_COMPARED("if d.token = p_token then\n        head", "if d.token is not null then\n        head");

        private final String right;
        private final String wrong;

        Fault(String right, String wrong) {
            this.right = right;
            this.wrong = wrong;
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyOwners_brokenEngine_isCaught(Fault fault) throws Exception {
        String script = script();
        assertThat(script).contains(fault.right);
        boolean caught = false;
        for (int round = 0; round < MOST_ROUNDS && !caught; round++) {
            try (TestDatabase database = TestDatabase.empty(Kind.POSTGRES)) {
                database.execute(script.replace(fault.right, fault.wrong));
                caught = ManyOwners.run(database.pool(), round).breach().isPresent();
            }
        }
        assertThat(caught).isTrue();
    }

    private static String script() throws IOException {
        try (InputStream script = Schema.class.getResourceAsStream("postgresql/V1__work_lease.sql")) {
            return new String(script.readAllBytes(), UTF_8);
        }
    }
}
