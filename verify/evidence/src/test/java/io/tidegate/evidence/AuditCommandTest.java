package io.tidegate.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditCommandTest {
    private static final String EXAMPLE = "docs/operations/remote-bulkhead.log";

    @TempDir
    Path folder;

    private final Printed out = new Printed();
    private final Printed errors = new Printed();

    private int audit(String... words) throws IOException {
        return new AuditCommand(Repository.ROOT, folder, out.stream(), errors.stream()).run(List.of(words));
    }

    private int auditLines(List<String> lines) throws IOException {
        Files.write(folder.resolve("a.log"), lines);
        return audit("a.log");
    }

    private static List<String> example() throws IOException {
        return new ArrayList<>(Files.readAllLines(Repository.ROOT.resolve(EXAMPLE)));
    }

    @Test
    void run_example_zero() throws IOException {
        assertThat(audit(Repository.ROOT.resolve(EXAMPLE).toString())).isZero();
        assertThat(out.toString()).contains(example().size() + " events; no promise is broken");
    }

    @Test
    void run_permitBeyondTheCap_oneWithLineRuleAndStory() throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "RB_PERMIT_ACQUIRED nowMs=1 inFlight=1 maxInFlight=2 permit=1 request=a",
                "RB_PERMIT_RELEASED nowMs=2 inFlight=0 maxInFlight=2 permit=1"));
        for (int latency = 0; latency < 20; latency++) {
            lines.add("RB_LATENCY_REPORT nowMs=3 inFlight=0 maxInFlight=2 latencyMs=" + latency);
        }
        lines.add("RB_PERMIT_RELEASED nowMs=4 inFlight=0 maxInFlight=2 permit=1");

        assertThat(auditLines(lines)).isEqualTo(1);
        assertThat(out.toString())
                .contains(
                        "a.log: 23 events\nline 23 breaks INV-RB-CAPPED: permit 1 is not out\n",
                        "  No permit is issued while `maxInFlight` or more are out",
                        "      1  " + lines.get(0) + "\n      2  " + lines.get(1) + "\n  ...\n     18  "
                                + lines.get(17),
                        "\n>    23  " + lines.get(22) + "\n")
                .doesNotContain(lines.get(10));
    }

    @Test
    void run_beginningMissing_saysSo() throws IOException {
        List<String> lines = example();

        assertThat(auditLines(lines.subList(lines.size() / 2, lines.size()))).isZero();
        assertThat(out.toString()).contains("of which the first are missing: checked as far as the rest allows; no");
    }

    @Test
    void run_noSuchFile_two() throws IOException {
        assertThat(audit("nothing.log")).isEqualTo(2);
        assertThat(errors).hasToString("tidegate: nothing.log: no such file%n".formatted());
    }

    @Test
    void run_folder_two() throws IOException {
        Files.createDirectory(folder.resolve("logs"));

        assertThat(audit("logs")).isEqualTo(2);
        assertThat(errors.toString()).startsWith("tidegate: logs: ");
    }

    @Test
    void run_notText_two() throws IOException {
        Files.write(folder.resolve("a.log"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThat(audit("a.log")).isEqualTo(2);
        assertThat(errors.toString()).contains("a.log: is not text in UTF-8");
    }

    @Test
    void run_lineThatIsNoEvent_twoWithItsNumber() throws IOException {
        assertThat(auditLines(List.of(example().get(0), "RB_PERMIT_ACQ"))).isEqualTo(2);
        assertThat(errors.toString()).contains("a.log: line 2: 'RB_PERMIT_ACQ' (expected: ");
    }

    @Test
    void run_noEvents_two() throws IOException {
        assertThat(auditLines(List.of())).isEqualTo(2);
        assertThat(errors.toString()).contains("a.log: has no events");
    }

    @Test
    void run_noneOrTwoFilesOrAnUnknownOption_twoWithUsage() throws IOException {
        assertThat(audit()).isEqualTo(2);
        assertThat(audit("a.log", "b.log")).isEqualTo(2);
        assertThat(audit("--strict")).isEqualTo(2);
        assertThat(errors.toString().split("usage: ./tidegate audit", -1)).hasSize(4);
    }
}
