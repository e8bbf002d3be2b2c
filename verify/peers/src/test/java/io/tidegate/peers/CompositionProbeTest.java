package io.tidegate.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.peers.Finding.Verdict;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the findings about each peer with what the version in the pom does, so that a better newer version is
 * noticed.
 */
class CompositionProbeTest {
    private static Table<CompositionProbe> table;

    @BeforeAll
    static void tryAll() throws Exception {
        table = Peers.tryCompositions();
    }

    @ParameterizedTest
    @EnumSource
    void on_tidegate_isOk(CompositionProbe probe) {
        assertThat(table.finding(Library.TIDEGATE, probe).verdict()).isEqualTo(Verdict.OK);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource(delimiter = '|', textBlock = """
            RESILIENCE4J | CANCELLED     | **fails**: the permit stays taken
            FAILSAFE     | CANCELLED     | **fails**: the permit stays taken
            SMALLRYE     | CANCELLED     | **fails**: the permit stays taken
            RESILIENCE4J | INNER_REFUSAL | **fails**: the breaker counts it, and opens
            FAILSAFE     | INNER_REFUSAL | **fails**: the breaker counts it, and opens
            SMALLRYE     | INNER_REFUSAL | **fails**: the breaker counts it, and opens
            RESILIENCE4J | TIME_LIMIT    | **fails**: the breaker counts nothing
            FAILSAFE     | TIME_LIMIT    | ok: the breaker counts a failure
            SMALLRYE     | TIME_LIMIT    | ok: the breaker counts a failure
            RESILIENCE4J | INTERRUPT     | ok: no interrupt is left; calls on another thread
            FAILSAFE     | INTERRUPT     | ok: no interrupt is left
            SMALLRYE     | INTERRUPT     | ok: no interrupt is left
            RESILIENCE4J | STORM         | **fails**: 3,000 attempts
            FAILSAFE     | STORM         | **fails**: 3,000 attempts
            SMALLRYE     | STORM         | **fails**: 3,000 attempts
            """)
    void on_peer_isAsRecorded(Library library, CompositionProbe probe, String cell) {
        assertThat(table.finding(library, probe)).hasToString(cell);
    }
}
