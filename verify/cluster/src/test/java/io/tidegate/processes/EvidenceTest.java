package io.tidegate.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult;
import io.tidegate.processes.FencedResource.Write;
import io.tidegate.testkit.LeaseHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Histories by hand, with times in milliseconds: an operation is "from-to what = answer", or "from- what" if nothing is
 * known of its end.
 */
class EvidenceTest {
    private static final long LEASE_MILLIS = 300;
    private static final int MAX_RETRIES = 1;
    private static final String FIRST = "0-10 tryAcquire \"A\" 1 = ACQUIRED \"t1\" 1";
    private static final Load.Item ITEM = new Load.Item("A", 1, 0, Load.Course.QUICK);

    private static Evidence evidence(List<Write> writes, Load.Item item, String... operations) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < operations.length; i++) {
            String[] parts = operations[i].split(" ", 2);
            String[] times = parts[0].split("-", -1);
            String[] call = parts[1].split(" = ", 2);
            lines.add(times[0] + "000000 \"p\" " + i + " " + call[0]);
            if (call.length > 1) {
                lines.add(times[1] + "000000 \"p\" " + i + " = " + call[1]);
            }
        }
        return new Evidence(new Load(List.of(item)), LeaseHistory.read(lines), writes, LEASE_MILLIS, MAX_RETRIES);
    }

    private static Evidence evidence(String... operations) {
        return evidence(List.of(), ITEM, operations);
    }

    private static Write write(String owner, long offset, long fence, boolean last) {
        return new Write(owner, "A", offset, fence, last, true);
    }

    @Test
    void breach_takeOverInTime_isFine() {
        assertThat(evidence(FIRST, "200-310 tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2")
                        .breach())
                .isEmpty();
    }

    @Test
    void breach_takeOverTooEarly_isSaid() {
        assertThat(evidence(FIRST, "200-210 tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2")
                        .breach())
                .get()
                .asString()
                .contains("taken over before its time");
    }

    @Test
    void breach_takeOverAfterRenewal_isTooEarly() {
        assertThat(evidence(
                                FIRST,
                                "200-210 renew \"A\" \"t1\" = RENEWED 1",
                                "400-410 tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2")
                        .breach())
                .get()
                .asString()
                .contains("taken over before its time");
    }

    @Test
    void breach_giveUpTooEarly_isSaid() {
        assertThat(evidence(FIRST, "200-210 tryAcquire \"A\" 1 = ALREADY_FAILED")
                        .breach())
                .get()
                .asString()
                .contains("before its time");
        assertThat(evidence(
                                FIRST,
                                "20- fail \"A\" \"t1\"",
                                "30- fail \"A\" \"t1\"",
                                "200-210 tryAcquire \"A\" 1 = ALREADY_FAILED")
                        .breach())
                .isEmpty();
    }

    @Test
    void breach_tooManyAttempts_isSaid() {
        assertThat(evidence(
                                FIRST,
                                "20-30 fail \"A\" \"t1\" = RETRY_SCHEDULED 1",
                                "400-410 tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2")
                        .breach())
                .get()
                .asString()
                .contains("or ALREADY_FAILED");
    }

    @Test
    void breach_heldForTooLong_isSaid() {
        String held = " tryAcquire \"A\" 1 = HELD_ELSEWHERE \"p\" 1";
        assertThat(evidence(FIRST, "400-410" + held).breach()).get().asString().contains("after its time");
        assertThat(evidence(FIRST, "200-410" + held).breach()).isEmpty();
        assertThat(evidence(FIRST, "20- renew \"A\" \"t1\"", "400-410" + held).breach())
                .isEmpty();
    }

    @Test
    void breach_ofHistory_isSaid() {
        assertThat(evidence(FIRST, "400-410 tryAcquire \"A\" 2 = ACQUIRED \"t2\" 2")
                        .breach())
                .get()
                .asString()
                .contains("ONE_HOLDER");
    }

    @Test
    void breach_twoWithOneFence_isSaid() {
        List<Write> writes = List.of(write("one", 1, 1, false), write("other", 1, 1, false));
        assertThat(evidence(writes, ITEM).breach()).get().asString().contains("the same fence");
    }

    @Test
    void breach_successThatNobodyWrote_isSaid() {
        String success = "20-30 succeed \"A\" \"t1\" = NO_BACKLOG";
        assertThat(evidence(List.of(write("p", 1, 1, false)), ITEM, FIRST, success)
                        .breach())
                .get()
                .asString()
                .contains("not written");
        assertThat(evidence(List.of(write("p", 1, 1, true)), ITEM, FIRST, success)
                        .breach())
                .isEmpty();
    }

    @Test
    void breachOfEnds_open_isSaid() {
        assertThat(evidence().breachOfEnds(ends(ITEM, new AcquireResult.Enqueued())))
                .get()
                .asString()
                .contains("not at its end");
    }

    @Test
    void breach_failedTooSoon_isSaid() {
        String failed = "900-910 tryAcquire \"A\" 1 = ALREADY_FAILED";
        String second = "400-410 tryAcquire \"A\" 1 = ACQUIRED \"t2\" 2";
        String failure = "20-30 fail \"A\" \"t1\" = RETRY_SCHEDULED 1";
        String perhaps = "20- tryAcquire \"A\" 1";
        String other = "20- tryAcquire \"A\" 2";
        assertThat(evidence(FIRST, other, failed).breach()).get().asString().contains("NOTHING_LOST");
        assertThat(evidence(FIRST, second, failed).breach()).isEmpty();
        assertThat(evidence(FIRST, failure, failed).breach()).isEmpty();
        assertThat(evidence(FIRST, perhaps, failed).breach()).isEmpty();
    }

    @Test
    void breachOfIdleness_workerThatAsksForNothing_isSaid() {
        Map<Load.Item, AcquireResult> processed = ends(ITEM, new AcquireResult.AlreadyProcessed());
        Evidence evidence = evidence(FIRST);
        assertThat(evidence.breachOfIdleness(1, 1, processed)).get().asString().contains("next to nothing");
        assertThat(evidence.breachOfIdleness(0, 1, processed)).isEmpty();
    }

    @Test
    void breachOfIdleness_nothingProcessed_isSaid() {
        List<Load.Item> items = List.of(ITEM, ITEM, ITEM, ITEM);
        Evidence evidence = new Evidence(new Load(items), new LeaseHistory(), List.of(), LEASE_MILLIS, MAX_RETRIES);
        assertThat(evidence.breachOfIdleness(0, 1, ends(ITEM, new AcquireResult.AlreadyFailed())))
                .get()
                .asString()
                .contains("hardly anything");
    }

    @Test
    void breachOfEnds_hopelessSucceeded_isSaid() {
        Load.Item hopeless = new Load.Item("A", 1, 0, Load.Course.HOPELESS);
        assertThat(evidence(List.of(write("p", 1, 1, true)), hopeless)
                        .breachOfEnds(ends(hopeless, new AcquireResult.AlreadyProcessed())))
                .get()
                .asString()
                .contains("cannot have succeeded");
    }

    @Test
    void breachOfEnds_processedUnwritten_isSaid() {
        assertThat(evidence().breachOfEnds(ends(ITEM, new AcquireResult.AlreadyProcessed())))
                .get()
                .asString()
                .contains("nobody has written it");
    }

    private static Map<Load.Item, AcquireResult> ends(Load.Item item, AcquireResult end) {
        return Map.of(item, end);
    }
}
