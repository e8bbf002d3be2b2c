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
class ProbeTest {
    private static Table<Probe> table;

    @BeforeAll
    static void tryAll() throws Exception {
        table = Peers.tryBreakers();
    }

    @ParameterizedTest
    @EnumSource
    void on_tidegate_isOk(Probe probe) {
        assertThat(table.finding(Library.TIDEGATE, probe).verdict()).isEqualTo(Verdict.OK);
    }

    /**
     * In the situation of a thousand threads Sentinel lets one through early once in a thousand runs, so this test
     * leaves that out.
     */
    @ParameterizedTest(name = "{0}, {1}")
    @CsvSource(delimiter = '|', textBlock = """
            RESILIENCE4J | LATE_SUCCESS     | **fails**: closes by the late success
            FAILSAFE     | LATE_SUCCESS     | **fails**: closes by the late success
            SMALLRYE     | LATE_SUCCESS     | ok: stays half-open
            SENTINEL     | LATE_SUCCESS     | **fails**: closes by the late success
            RESILIENCE4J | IGNORED_OUTCOMES | **fails**: 4 probes at a limit of 1
            FAILSAFE     | IGNORED_OUTCOMES | **fails**: closes, takes them for successes
            SMALLRYE     | IGNORED_OUTCOMES | ok: 1 probe at a limit of 1
            SENTINEL     | IGNORED_OUTCOMES | **fails**: closes, takes them for successes
            RESILIENCE4J | HUNG_PROBE       | **fails**: wedged, refuses after 3 × the open time
            FAILSAFE     | HUNG_PROBE       | **fails**: wedged, refuses after 3 × the open time
            SMALLRYE     | HUNG_PROBE       | **fails**: wedged, refuses after 3 × the open time
            SENTINEL     | HUNG_PROBE       | **fails**: wedged, refuses after 3 × the open time
            RESILIENCE4J | THROWING_RULE    | **fails**: the caller gets the rule's exception; wedged
            FAILSAFE     | THROWING_RULE    | ok: the caller gets its own exception; counts as a success
            SMALLRYE     | THROWING_RULE    | **fails**: the caller gets the rule's exception; counts as a failure
            SENTINEL     | THROWING_RULE    | **fails**: the caller gets the rule's exception; counts as a success
            RESILIENCE4J | CLOCK_STEPS      | **fails**: wall clock; back: no state change, refuses for an hour more; \
            forward: lets a probe through
            FAILSAFE     | CLOCK_STEPS      | cannot be tested: no clock to inject
            SMALLRYE     | CLOCK_STEPS      | cannot be tested: no clock to inject
            SENTINEL     | CLOCK_STEPS      | cannot be tested: no clock to inject
            RESILIENCE4J | THOUSAND_THREADS | ok: 0 let through early; 1 of 1 probe; 2 of 2 notifications
            FAILSAFE     | THOUSAND_THREADS | ok: 0 let through early; 1 of 1 probe; 2 of 2 notifications
            SMALLRYE     | THOUSAND_THREADS | ok: 0 let through early; 1 of 1 probe; 2 of 2 notifications
            """)
    void on_peer_isAsRecorded(Library library, Probe probe, String cell) {
        assertThat(table.finding(library, probe)).hasToString(cell);
    }
}
