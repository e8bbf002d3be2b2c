package io.tidegate.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult;
import io.tidegate.testkit.LeaseHistory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Logs and histories by hand, with times in milliseconds: an operation is "from-to what = answer". */
class RunnerEvidenceTest {
    private static final long LEASE_MILLIS = 300;
    private static final String OWNER = WorkerProcess.owner(1, "7");
    private static final String FIRST = "0-10 tryAcquire \"A\" 1 = ACQUIRED \"t1\" 1 0";
    private static final String DONE = "60-70 succeed \"A\" \"t1\" = NO_BACKLOG";
    private static final String BEGIN = "20 begin A 1 1 t1";
    private static final String END = "50 end t1";
    private static final Load.Item ITEM = new Load.Item("A", 1, 0, Load.Course.QUICK);

    private static RunnerEvidence evidence(Load.Course course, List<String> log, String... operations) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < operations.length; i++) {
            String[] parts = operations[i].split(" ", 2);
            String[] times = parts[0].split("-", -1);
            String[] call = parts[1].split(" = ", 2);
            lines.add(times[0] + "000000 \"" + OWNER + "\" " + i + " " + call[0]);
            lines.add(times[1] + "000000 \"" + OWNER + "\" " + i + " = " + call[1]);
        }
        Load load = new Load(List.of(new Load.Item("A", 1, 0, course)));
        List<Evidence.Operation> recorded =
                new Evidence(load, LeaseHistory.read(lines), List.of(), LEASE_MILLIS, 1).operations();
        List<String> stamped =
                log.stream().map(line -> line.replaceFirst(" ", "000000 ")).toList();
        return new RunnerEvidence(load, recorded, List.of(AttemptLog.read(OWNER, stamped)), LEASE_MILLIS);
    }

    private static Optional<String> breach(List<String> log, String... operations) {
        return evidence(Load.Course.QUICK, log, operations).breach(Set.of());
    }

    @Test
    void breach_workThatWasDone_isFine() {
        assertThat(breach(List.of(BEGIN, END), FIRST, DONE)).isEmpty();
    }

    @Test
    void breach_begunTwice_isSaid() {
        assertThat(breach(List.of(BEGIN, "30 begin A 1 1 t1", END), FIRST, DONE))
                .get()
                .asString()
                .contains("begun twice");
    }

    @Test
    void breach_begunAgainAfterItsEnd_isFine() {
        assertThat(breach(List.of(BEGIN, END, "52 begin A 1 1 t1", "54 end t1"), FIRST, DONE))
                .isEmpty();
    }

    @Test
    void breach_releasedWhileItRuns_isSaid() {
        assertThat(breach(List.of(BEGIN, END), FIRST, "30-35 release \"A\" \"t1\" = RELEASED"))
                .get()
                .asString()
                .contains("while it ran");
    }

    @Test
    void breach_begunLongAfterItWasLost_isSaid() {
        String refused = "15-16 renew \"A\" \"t1\" = TOKEN_MISMATCH";
        List<String> late = List.of("400 begin A 1 1 t1", "410 end t1");
        assertThat(evidence(Load.Course.QUICK, late, FIRST, refused).breach(Set.of(1)))
                .get()
                .asString()
                .contains("known to be lost");
    }

    @Test
    void breach_lostByWhomNothingBefell_isSaid() {
        String refused = "60-70 succeed \"A\" \"t1\" = TOKEN_MISMATCH";
        List<String> log = List.of(BEGIN, END);
        assertThat(breach(log, FIRST, refused)).get().asString().contains("nothing had befallen");
        assertThat(evidence(Load.Course.QUICK, log, FIRST, refused).breach(Set.of(1)))
                .isEmpty();
        assertThat(evidence(Load.Course.DEADLY, log, FIRST, refused).breach(Set.of()))
                .isEmpty();
        assertThat(breach(List.of(BEGIN, END, "200 pause 80000000"), FIRST, refused))
                .isEmpty();
        assertThat(breach(log, FIRST, refused, "55-155 inspect \"A\" = UNKNOWN"))
                .isEmpty();
    }

    @Test
    void breachOfEnds_otherEnd_isReported() {
        RunnerEvidence evidence = evidence(Load.Course.QUICK, List.of("9 learned A 1 PROCESSED"));
        assertThat(evidence.breachOfEnds(Map.of(ITEM, new AcquireResult.AlreadyFailed())))
                .get()
                .asString()
                .contains("learned");
        assertThat(evidence.breachOfEnds(Map.of(ITEM, new AcquireResult.AlreadyProcessed())))
                .isEmpty();
    }
}
