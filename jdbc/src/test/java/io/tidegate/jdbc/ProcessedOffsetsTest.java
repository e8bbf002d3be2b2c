package io.tidegate.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.AcquireResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The memory and time that processed offsets cost, and that none of them is lost. */
@ParameterizedClass
@EnumSource(
        value = Kind.class,
        names = {"H2_MEMORY", "POSTGRES", "MARIADB"})
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ProcessedOffsetsTest {
    private static final String A = "A";
    private static final int OFFSETS = 300;

    /**
     * The four numbers, the database's overhead of a row, and its entry in the index: PostgreSQL has 28 + 32 + 28
     * bytes, others less.
     */
    private static final int BYTES_OF_A_ROW = 96;

    private final Kind kind;
    private final TestDatabase database;
    private final JdbcWorkLease lease;

    ProcessedOffsetsTest(Kind kind) {
        this.kind = kind;
        this.database = TestDatabase.create(kind);
        this.lease = JdbcWorkLease.builder(database.pool(), "orders", 0).build();
    }

    @AfterEach
    void noConnectionIsHeld() {
        assertThat(database.connectionsInUse()).isZero();
        database.close();
    }

    private String acquire(String domainId, long offset) {
        return ((AcquireResult.Acquired) lease.tryAcquire(domainId, offset)).token();
    }

    private void process(String domainId, long offset) {
        lease.succeed(domainId, acquire(domainId, offset));
    }

    private void assertCosts(List<Long> offsets, int mostBytesEach) {
        for (long offset : offsets) {
            process(A, offset);
        }
        long rows = database.number("select count(*) from tidegate_processed");
        long packed = database.number("select coalesce(sum(octet_length(packed)), 0) from tidegate_processed");
        assertThat(rows * BYTES_OF_A_ROW + packed).isLessThanOrEqualTo((long) mostBytesEach * offsets.size());
        assertThat(database.number("select processed_count from tidegate_domain"))
                .isEqualTo(offsets.size());
    }

    private static List<Long> every(int step) {
        return new ArrayList<>(
                LongStream.range(0, OFFSETS).map(i -> i * step).boxed().toList());
    }

    @Test
    @DisplayName("WL-32 offsets without gaps take no row")
    void succeed_dense_takesNothing() {
        assertCosts(every(1), 0);
    }

    @Test
    @DisplayName("WL-32 every second offset takes less than two bytes")
    void succeed_everySecond_takesTwoBytes() {
        assertCosts(every(2), 2);
    }

    @Test
    @DisplayName("WL-32 every second offset, out of order, takes less than two bytes")
    void succeed_everySecondShuffled_takesTwoBytes() {
        List<Long> offsets = every(2);
        Collections.shuffle(offsets, new Random(1));
        assertCosts(offsets, 2);
    }

    @Test
    @DisplayName("WL-32 two streams that come in turns take less than two bytes an offset")
    void succeed_twoStreams_takeTwoBytes() {
        List<Long> offsets = new ArrayList<>();
        for (long i = 0; i < OFFSETS / 2; i++) {
            offsets.add(i);
            offsets.add(1L << 40 | i);
        }
        assertCosts(offsets, 2);
    }

    @Test
    @DisplayName("WL-32 offsets with gaps of up to a million take less than sixteen bytes")
    void succeed_sparse_takesSixteenBytes() {
        Random random = new Random(1);
        List<Long> offsets = new ArrayList<>();
        long offset = 0;
        for (int i = 0; i < OFFSETS; i++) {
            offsets.add(offset);
            offset += 2 + random.nextInt(1_000_000);
        }
        assertCosts(offsets, 16);
    }

    @Test
    @DisplayName(
            "WL-13 WL-32 processed, failed and forgotten offsets agree with a plain set through replays and forgets")
    void operations_random_areThoseOfASet() {
        for (int seed = 1; seed <= 2; seed++) {
            new Script(seed).run();
        }
    }

    /** Random operations, with the processed offsets that they must leave. */
    private final class Script {
        private final Random random;
        private final String story;
        private final String domain;
        private final Set<Long> processed = new HashSet<>();
        private final Set<Long> failed = new HashSet<>();
        private long forgotten = -1;

        Script(int seed) {
            random = new Random(seed);
            story = "seed " + seed;
            domain = "domain " + seed;
        }

        void run() {
            for (int step = 0; step < 300; step++) {
                int kindOfStep = random.nextInt(100);
                if (kindOfStep == 0) {
                    forgotten = Math.max(forgotten, random.nextInt(step + 1));
                    lease.forget(domain, forgotten);
                } else if (kindOfStep == 1) {
                    lease.deleteFailed(Duration.ZERO);
                    processed.addAll(failed);
                    failed.clear();
                } else {
                    offer(random.nextInt(400), random.nextInt(10) == 0);
                }
            }
            for (long offset = 0; offset < 400; offset++) {
                offer(offset, false);
            }
        }

        private void offer(long offset, boolean fails) {
            AcquireResult answer = lease.tryAcquire(domain, offset);
            assertThat(answer.code()).as("offset " + offset + ", " + story).isEqualTo(expected(offset));
            if (answer instanceof AcquireResult.Acquired acquired && fails) {
                lease.fail(domain, acquired.token());
                failed.add(offset);
            } else if (answer instanceof AcquireResult.Acquired acquired) {
                lease.succeed(domain, acquired.token());
                processed.add(offset);
            } else if (answer instanceof AcquireResult.AlreadyFailed && fails) {
                assertThat(lease.replay(domain, offset)).isTrue();
                process(domain, offset);
                failed.remove(offset);
                processed.add(offset);
            }
        }

        private String expected(long offset) {
            if (failed.contains(offset)) {
                return "ALREADY_FAILED";
            }
            return processed.contains(offset) || offset <= forgotten ? "ALREADY_PROCESSED" : "ACQUIRED";
        }
    }

    @Test
    @DisplayName("WL-32 the least and the greatest offsets are distinguished")
    void operations_extremeOffsets_areDistinguished() {
        long[] offsets = {Long.MAX_VALUE, Long.MIN_VALUE, 0, Long.MAX_VALUE - 2, Long.MIN_VALUE + 2, -2, 2};
        for (long offset : offsets) {
            process(A, offset);
        }
        for (long offset : offsets) {
            assertThat(lease.tryAcquire(A, offset)).isEqualTo(new AcquireResult.AlreadyProcessed());
        }
        for (long offset : new long[] {Long.MAX_VALUE - 1, Long.MIN_VALUE + 1, -1, 1}) {
            process(A, offset);
        }
        lease.forget(A, Long.MAX_VALUE);
        assertThat(database.number("select count(*) from tidegate_processed")).isZero();
        assertThat(lease.tryAcquire(A, 77)).isEqualTo(new AcquireResult.AlreadyProcessed());
    }

    /** Leaves as many rows as tens of thousands of offsets take that lie a hundred apart. */
    private void fill(String domainId, int rows) {
        acquire(domainId, -1);
        long id = database.number("select id from tidegate_domain where name = " + database.bytes(domainId));
        StringBuilder values = new StringBuilder();
        for (int row = 0; row < rows; row++) {
            values.append(row == 0 ? "" : ", ")
                    .append("(" + id + ", " + row * 100 + ", " + (row * 100 + 9) + ", " + row * 100 + ", "
                            + (kind == Kind.H2_MEMORY ? "x''" : "''") + ")");
        }
        database.execute(
                "insert into tidegate_processed (domain_id, first_offset, last_offset, tail_offset, packed) values "
                        + values);
        database.execute("update tidegate_domain set highest = " + rows * 100 + " where id = " + id);
    }

    @Test
    @DisplayName("WL-32 forget takes many steps for many rows, and all up to its bound are forgotten in the end")
    void forget_manyRows_areAllForgotten() throws SQLException {
        fill(A, 2_500);
        Engine engine;
        try (Connection connection = database.transaction()) {
            engine = Schema.engineOf(connection);
            LeaseTerms terms = new LeaseTerms("orders", "we", 60_000, 0, 9, 5_000, false);
            assertThat(engine.forget(connection, terms, A, 100_000, 10, false)).isTrue();
            connection.commit();
        }
        assertThat(database.number("select count(*) from tidegate_processed")).isEqualTo(2_490);
        assertThat(database.number("select forgotten from tidegate_domain")).isEqualTo(909);

        lease.forget(A, 240_005);

        assertThat(database.number("select min(first_offset) from tidegate_processed"))
                .isEqualTo(240_000);
        assertThat(database.number("select forgotten from tidegate_domain")).isEqualTo(240_005);
        assertThat(lease.tryAcquire(A, 240_007)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(lease.tryAcquire(A, 240_010)).isEqualTo(new AcquireResult.Enqueued());
    }

    @Test
    @DisplayName("WL-32 forgetAll is forget for each domain of the name, and for no other")
    void forgetAll_manyDomains_areAllForgotten() {
        JdbcWorkLease others =
                JdbcWorkLease.builder(database.pool(), "invoices", 0).build();
        for (String domain : List.of("A", "B", "C")) {
            process(domain, 5);
            process(domain, 7);
        }
        String open = acquire("B", 3);
        lease.fail("C", acquire("C", 4));
        lease.forget("A", 100);
        others.succeed(A, ((AcquireResult.Acquired) others.tryAcquire(A, 5)).token());

        assertThat(lease.forgetAll(50)).isEqualTo(3);
        assertThat(lease.forgetAll(50)).isEqualTo(3);

        assertThat(lease.tryAcquire("A", 100)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(lease.tryAcquire("B", 50)).isEqualTo(new AcquireResult.AlreadyProcessed());
        assertThat(lease.succeed("B", open).code()).isEqualTo("NO_BACKLOG");
        assertThat(lease.tryAcquire("C", 4)).isEqualTo(new AcquireResult.AlreadyFailed());
        assertThat(lease.tryAcquire("C", 51).code()).isEqualTo("ACQUIRED");
        assertThat(others.tryAcquire(A, 6).code()).isEqualTo("ACQUIRED");
        assertThat(database.number("select count(*) from tidegate_processed")).isZero();
    }

    @Test
    @DisplayName("WL-32 forgetAll leaves domains as idle as they are")
    void forgetAll_idleDomain_staysIdle() {
        process(A, 5);
        database.execute("update tidegate_domain set changed_at = " + database.time(0));
        assertThat(lease.forgetAll(50)).isEqualTo(1);
        assertThat(lease.deleteIdle(Duration.ofDays(1))).isEqualTo(1);
    }

    @Test
    @DisplayName("WL-32 forget reads the rows that it deletes, and not the others")
    void forget_fewOfManyRows_readsFew() throws SQLException {
        fill(A, 3_000);
        database.analyze("tidegate_processed");
        try (Connection connection = database.pool().getConnection();
                Statement statement = connection.createStatement()) {
            JdbcWorkLease one = JdbcWorkLease.builder(OneConnection.of(connection), "orders", 0)
                    .build();
            long before = rowsRead(statement);
            one.forget(A, 1_005);
            assertThat(rowsRead(statement) - before).isLessThan(200);
        }
        assertThat(database.number("select min(first_offset) from tidegate_processed"))
                .isEqualTo(1_000);
    }

    /**
     * Returns how many rows this connection has read. H2 does not count them; there the plan shows the bounds of the
     * search.
     */
    private long rowsRead(Statement statement) throws SQLException {
        if (kind == Kind.POSTGRES) {
            statement.execute("select pg_stat_force_next_flush()");
        }
        String query = switch (kind) {
            case POSTGRES ->
                "select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables"
                        + " where relname = 'tidegate_processed' and schemaname = current_schema()";
            case MARIADB ->
                "select sum(variable_value) from information_schema.session_status where variable_name like"
                        + " 'HANDLER_READ%'";
            default -> "explain " + H2Engine.FORGET.replaceFirst("[?]", "1").replace("?", "1005");
        };
        try (ResultSet row = statement.executeQuery(query)) {
            row.next();
            if (kind == Kind.H2_MEMORY) {
                assertThat(row.getString(1)).contains("PRIMARY_KEY").containsPattern("FIRST_OFFSET <= [^\"]*\\*/");
                return 0;
            }
            return row.getLong(1);
        }
    }
}
