package io.tidegate.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A history by hand for each check; in milliseconds, with leases of 100. */
class CapEvidenceTest {
    private static final String LEASE = "LEASE 0 5000000";

    private static Optional<String> breach(int cap, List<List<String>> histories) {
        return new CapEvidence(histories, 100, new TreeMap<>(Map.of(0L, cap))).breach();
    }

    private static String start(String id, int ms) {
        return "START " + id + " " + ms * 1_000_000L;
    }

    private static String end(String id, int ms) {
        return "END " + id + " " + ms * 1_000_000L;
    }

    @Test
    void breach_withinTheCap_isNone() {
        List<String> a = List.of(LEASE, start("x", 10), end("x", 20), start("y", 20));
        List<String> b = List.of(LEASE, start("x", 10));

        assertThat(breach(2, List.of(a, b))).isEmpty();
    }

    @Test
    void breach_twoProcessesBeyondTheCap_isFound() {
        List<String> a = List.of(LEASE, start("x", 10), end("x", 30));
        List<String> b = List.of(LEASE, start("x", 20), end("x", 40));

        assertThat(breach(1, List.of(a, b))).contains("2 in flight under leases (expected: <= 1), at 20000000");
    }

    @Test
    void breach_startAfterTheLease_isFound() {
        assertThat(breach(1, List.of(List.of(LEASE, start("x", 100)))))
                .contains("an operation started without a lease, at 100000000");
        assertThat(breach(1, List.of(List.of(start("x", 1))))).isPresent();
    }

    @Test
    void breach_startBeforeTheAnswer_isFound() {
        assertThat(breach(1, List.of(List.of(LEASE, start("x", 4))))).isPresent();
    }

    @Test
    void breach_outlivesItsLease_countsNoMore() {
        List<String> stopped = List.of(LEASE, start("x", 10), end("x", 500));
        List<String> other = List.of("LEASE 90000000 99000000", start("x", 100));
        List<String> tooEarly = List.of("LEASE 90000000 91000000", start("x", 92));

        assertThat(breach(1, List.of(stopped, other))).isEmpty();
        assertThat(breach(1, List.of(stopped, tooEarly))).isPresent();
    }

    @Test
    void breach_renewedInTime_goesOnCounting() {
        List<String> renewed = List.of(LEASE, "LEASE 80000000 85000000", start("x", 10));
        List<String> other = List.of("LEASE 120000000 130000000", start("x", 150));

        assertThat(breach(1, List.of(renewed, other))).isPresent();
        assertThat(breach(2, List.of(renewed, other))).isEmpty();
    }

    @Test
    void breach_boundChanges_isTheOneOfItsTime() {
        List<String> two = List.of(LEASE, start("x", 10), start("y", 20));
        TreeMap<Long, Integer> raised = new TreeMap<>(Map.of(0L, 1, 15_000_000L, 2));
        TreeMap<Long, Integer> lowered = new TreeMap<>(Map.of(0L, 2, 15_000_000L, 1));

        assertThat(new CapEvidence(List.of(two), 100, raised).breach()).isEmpty();
        assertThat(new CapEvidence(List.of(two), 100, lowered).breach()).isPresent();
    }
}
