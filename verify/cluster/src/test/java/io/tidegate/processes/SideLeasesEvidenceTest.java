package io.tidegate.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Histories by hand, with times in milliseconds: a call is "from-to what = answer", or "from- what" without an answer.
 */
class SideLeasesEvidenceTest {
    private static final String FIRST = "0-10 tryAcquire \"A\" 1 = ACQUIRED \"t1\" 5 0";
    private static final String DONE = "20-30 succeed \"A\" \"t1\" = NO_BACKLOG";
    private static final String SECOND = "50-60 tryAcquire \"A\" 1 = ACQUIRED \"t2\" 6 0";

    private static Optional<String> breach(String... operations) {
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
        return new SideLeasesEvidence(Evidence.operations(lines), 300).breach();
    }

    @Test
    void breach_runsAgain_isFine() {
        assertThat(breach(FIRST, DONE, SECOND)).isEmpty();
    }

    @Test
    void breach_fenceAgain_isSaid() {
        assertThat(breach(FIRST, DONE, SECOND.replace("\"t2\" 6", "\"t2\" 5")))
                .get()
                .asString()
                .contains("fences");
        assertThat(breach(FIRST, DONE, SECOND.replace("\"t2\" 6", "\"t2\" 4")))
                .get()
                .asString()
                .contains("fences");
    }

    @Test
    void breach_leaseGone_isSaidWhileItsTimeLasts() {
        assertThat(breach(FIRST, "20-30 succeed \"A\" \"t1\" = LEASE_NOT_FOUND"))
                .get()
                .asString()
                .contains("before its time");
        assertThat(breach(FIRST, "20-290 succeed \"A\" \"t1\" = LEASE_NOT_FOUND"))
                .isEmpty();
        assertThat(breach(FIRST, DONE, "40-50 succeed \"A\" \"t1\" = LEASE_NOT_FOUND"))
                .isEmpty();
    }

    @Test
    void breach_waiterGone_isSaid() {
        String waits = "12-14 tryAcquire \"A\" 2 = ENQUEUED";
        assertThat(breach(FIRST, waits, DONE)).get().asString().contains("nobody has had it");
        assertThat(breach(FIRST, waits, DONE, "50-60 tryAcquire \"A\" 2 = ACQUIRED \"t2\" 6 0"))
                .isEmpty();
        assertThat(breach(FIRST, waits, DONE, "50- tryAcquire \"A\" 2")).isEmpty();
        assertThat(breach(FIRST, waits, DONE, SECOND)).get().asString().contains("nobody has had it");
    }
}
