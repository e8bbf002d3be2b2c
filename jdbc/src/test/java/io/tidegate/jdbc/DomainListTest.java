package io.tidegate.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.jdbc.TestDatabase.Kind;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.SharedWorkLease.Offer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** The cost of listing domains. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DomainListTest {
    private static final int DOMAINS = 3_000;

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "H2_FILE")
    @DisplayName("WL-34 a page is read by the index of the names, in its order, and no other row is")
    void domains_many_areReadByTheIndex(Kind kind) throws SQLException {
        try (TestDatabase database = TestDatabase.create(kind)) {
            JdbcWorkLease lease =
                    JdbcWorkLease.builder(database.pool(), "orders", 0).build();
            lease.tryAcquireAll(IntStream.range(0, DOMAINS)
                    .mapToObj(number -> new Offer(String.format("domain %04d", number), 1))
                    .toList());
            switch (kind) {
                case POSTGRES -> {
                    database.execute("vacuum analyze tidegate_domain");
                    assertThat(plan(
                                    database,
                                    "explain (analyze, costs off, timing off) " + PostgresEngine.DOMAINS,
                                    false))
                            .contains("Index Scan using tidegate_domain_lease_name_key")
                            .contains("rows=10.00")
                            .doesNotContain("Seq Scan on tidegate_domain")
                            .doesNotContain("Sort");
                }
                case MARIADB ->
                    assertThat(plan(database, "explain " + MariaDbEngine.DOMAINS, true))
                            .contains("range\ntidegate_domain_key\ntidegate_domain_key")
                            .doesNotContain("filesort");
                default ->
                    assertThat(plan(database, "explain analyze " + H2Engine.DOMAINS, true))
                            .containsIgnoringCase("tidegate_domain_key")
                            .containsIgnoringCase("index sorted")
                            .contains("scanCount: 11");
            }
            assertThat(lease.domains(2, "domain 2000"))
                    .extracting(DomainSummary::domainId)
                    .containsExactly("domain 2001", "domain 2002");
        }
    }

    /** Returns the plan for a page of ten domains in the middle. */
    private static String plan(TestDatabase database, String explain, boolean namesAreBytes) throws SQLException {
        try (Connection connection = database.pool().getConnection();
                PreparedStatement statement = connection.prepareStatement(explain)) {
            statement.setObject(1, namesAreBytes ? "orders".getBytes(UTF_8) : "orders");
            statement.setObject(2, namesAreBytes ? "domain 2000".getBytes(UTF_8) : "domain 2000");
            statement.setInt(3, 10);
            List<String> lines = new ArrayList<>();
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    for (int column = 1; column <= row.getMetaData().getColumnCount(); column++) {
                        lines.add(row.getString(column));
                    }
                }
            }
            return String.join("\n", lines);
        }
    }
}
