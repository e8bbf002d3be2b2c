package io.tidegate.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.tidegate.evidence.TestLine.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The output and the result of the command for good and bad reports. */
class EvidenceCommandTest {
    private static final List<Rule> RULES =
            List.of(new Rule("AB-1", "It says \"one\" < two."), new Rule("AB-2", "It says two."));

    @TempDir
    Path root;

    private final Printed out = new Printed();
    private final Printed errors = new Printed();
    private final List<String> lines = new ArrayList<>(List.of(TestRecorder.SURROUNDINGS + "JDK 99 on a machine"));

    private Path evidence;

    @BeforeEach
    void makeFolder() throws IOException {
        evidence = Files.createDirectories(root.resolve("target").resolve("evidence"));
    }

    private EvidenceCommand command() {
        return new EvidenceCommand(root, out.stream(), errors.stream(), false);
    }

    private void record(String rules, String method, What... whats) {
        for (What what : whats) {
            lines.add(
                    new TestLine(what, method, rules, "core", "a.BTest", method, rules + " " + method, 5, message(what))
                            .toLine());
        }
    }

    private static String message(What what) {
        return what == What.FAILED || what == What.SKIPPED ? "because of " + what : "";
    }

    private void recordPassed(String rules, String method) {
        record(rules, method, What.PLANNED, What.PASSED, What.ENDED);
    }

    private int judge(Check... others) throws Exception {
        Path tests = Files.createDirectories(root.resolve("tests"));
        Files.write(tests.resolve("1.tests"), lines);
        return command().judge(Map.of(Part.BULKHEAD, RULES), tests, List.of(others), new Revision("1a2b", true));
    }

    private JsonObject json() throws IOException {
        return JsonParser.parseString(Files.readString(evidence.resolve("bulkhead.json")))
                .getAsJsonObject();
    }

    private String page() throws IOException {
        return Files.readString(evidence.resolve("bulkhead.md"));
    }

    private static JsonObject rule(JsonObject json, int index) {
        return json.getAsJsonArray("rules").get(index).getAsJsonObject();
    }

    @Test
    void judge_everyRulePassed_zero() throws Exception {
        recordPassed("AB-1 AB-2 CB-1", "passes");

        assertThat(judge()).isZero();
        assertThat(json().get("outcome").getAsString()).isEqualTo("passed");
        assertThat(page()).contains("passed: 2 of 2 rules passed");
        assertThat(out.toString()).containsPattern("bulkhead +2 +2 +0 +0 +0 +1 +1");
    }

    @Test
    void judge_failedTest_one() throws Exception {
        recordPassed("AB-1 AB-2", "passes");
        record("AB-2", "fails", What.PLANNED, What.FAILED, What.ENDED);

        assertThat(judge()).isEqualTo(1);
        assertThat(json().get("outcome").getAsString()).isEqualTo("failed");
        assertThat(rule(json(), 0).get("outcome").getAsString()).isEqualTo("passed");
        assertThat(rule(json(), 1).get("outcome").getAsString()).isEqualTo("failed");
        assertThat(page()).contains("FAILED: 1 of 2 rules passed; FAILED: AB-2", "`because of FAILED`");
        assertThat(out.toString())
                .contains("FAILED: AB-2", "FAILED: AB-2 fails (core a.BTest.fails): because of FAILED");
    }

    @Test
    void judge_ruleWithoutTest_one() throws Exception {
        recordPassed("AB-1", "passes");

        assertThat(judge()).isEqualTo(1);
        assertThat(rule(json(), 1).get("outcome").getAsString()).isEqualTo("no test");
        assertThat(out.toString()).contains("bulkhead: 1 of 2 rules passed; NO TEST: AB-2");
    }

    @Test
    void judge_skippedTestBesideOneThatPassed_one() throws Exception {
        recordPassed("AB-1 AB-2", "passes");
        record("AB-2", "skipped", What.PLANNED, What.SKIPPED, What.ENDED);

        assertThat(judge()).isEqualTo(1);
        assertThat(rule(json(), 1).get("outcome").getAsString()).isEqualTo("skipped");
    }

    @Test
    void judge_testThatNeverEnded_one() throws Exception {
        recordPassed("AB-1", "passes");
        record("AB-2", "hangs", What.PLANNED, What.PASSED);

        assertThat(judge()).isEqualTo(1);
        assertThat(page()).contains("did not run to its end");
    }

    @Test
    void judge_emptyReport_one() throws Exception {
        lines.clear();

        assertThat(judge()).isEqualTo(1);
        assertThat(out.toString()).contains("0 of 2 rules passed; NO TEST: AB-1 AB-2");
    }

    @Test
    void judge_ruleThatIsWrittenNowhere_one() throws Exception {
        recordPassed("AB-1 AB-2 AB-99", "passes");

        assertThat(judge()).isEqualTo(1);
        assertThat(json().getAsJsonArray("unknownRules").get(0).getAsString()).isEqualTo("AB-99");
        assertThat(out.toString()).contains("written nowhere: AB-99");
    }

    @Test
    void judge_otherCheckFailed_one() throws Exception {
        recordPassed("AB-1 AB-2", "passes");

        assertThat(judge(new Check("evidence", "Logs", "check", "n", List.of("AB-1"), Outcome.FAILED, 1, 1, "why")))
                .isEqualTo(1);
    }

    @Test
    void json_allOfIt_isWhatItSays() throws Exception {
        recordPassed("AB-1", "passes");
        record("AB-2", "fails", What.PLANNED, What.PASSED, What.FAILED, What.ENDED);
        judge();

        JsonObject json = json();
        assertThat(json.get("part").getAsString()).isEqualTo("bulkhead");
        assertThat(json.get("title").getAsString()).isEqualTo("Async bulkhead");
        JsonObject surroundings = json.getAsJsonObject("surroundings");
        assertThat(surroundings.get("command").getAsString()).isEqualTo("./tidegate evidence bulkhead");
        assertThat(surroundings.get("madeAt").getAsString()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(surroundings.get("library").getAsString()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(surroundings.get("commit").getAsString()).isEqualTo("1a2b");
        assertThat(surroundings.get("uncommitted").getAsBoolean()).isTrue();
        assertThat(surroundings.getAsJsonArray("ranOn").get(0).getAsString()).isEqualTo("JDK 99 on a machine");
        assertThat(json.getAsJsonObject("counts"))
                .hasToString(
                        "{\"rules\":2,\"passed\":1,\"failed\":1,\"skipped\":0,\"noTest\":0,\"checks\":2,\"runs\":3}");
        assertThat(rule(json, 0).get("rule").getAsString()).isEqualTo("AB-1");
        assertThat(rule(json, 0).get("says").getAsString()).isEqualTo("It says \"one\" < two.");
        assertThat(rule(json, 1).getAsJsonArray("checks").get(0))
                .hasToString(
                        "{\"module\":\"core\",\"testClass\":\"a.BTest\",\"method\":\"fails\",\"name\":\"AB-2 fails\","
                                + "\"rules\":[\"AB-2\"],\"outcome\":\"failed\",\"runs\":2,\"millis\":10,"
                                + "\"failure\":\"because of FAILED\"}");
    }

    @Test
    void page_allOfIt_isReadable() throws Exception {
        recordPassed("AB-1", "passes");
        recordPassed("AB-2", "passesToo");
        judge();

        assertThat(page())
                .startsWith("# Evidence: Async bulkhead\n\npassed: 2 of 2 rules passed\n")
                .contains(
                        "- Command: `./tidegate evidence bulkhead`, ",
                        ", commit 1a2b, with changes that are not committed\n",
                        "- Ran on: JDK 99 on a machine\n",
                        "\n| AB-1 | passed | 1 | 1 |\n",
                        "\n## AB-2: passed\n\nIt says two.\n\n- passed: AB-2 passesToo (core `a.BTest.passesToo`)\n");
    }

    @Test
    void clear_earlierRun_leavesOtherParts() throws Exception {
        recordPassed("AB-1", "passes");
        judge();
        Path other = Files.writeString(evidence.resolve("lease.json"), "{}");
        Path log = Files.writeString(
                Files.createDirectory(evidence.resolve("logs")).resolve("a.log"), "");

        command().clear(Set.of(Part.BULKHEAD));

        assertThat(evidence.resolve("bulkhead.json")).doesNotExist();
        assertThat(evidence.resolve("bulkhead.md")).doesNotExist();
        assertThat(other).exists();
        assertThat(log).exists();
    }

    @Test
    void run_unknownPart_two() throws Exception {
        assertThat(command().run(List.of("bulkhaed"))).isEqualTo(2);
        assertThat(errors.toString())
                .contains(
                        "part: 'bulkhaed' (expected: one of bulkhead, adaptive, breaker, remote, rate, groups, guard,"
                                + " observe, console, spring, lease)",
                        "usage: ./tidegate evidence [part]");
    }
}
