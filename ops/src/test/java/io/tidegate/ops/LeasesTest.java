package io.tidegate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.Failure;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.testkit.InMemorySharedLease;
import io.tidegate.testkit.ManualClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The output and the effects of the command, on leases in memory. */
class LeasesTest {
    private final ManualClock clock = new ManualClock();
    private final InMemorySharedLease.Store store = new InMemorySharedLease.Store(clock);
    private final SharedWorkLease worker = store.lease("orders", 0, "worker-1", Duration.ofHours(1));
    private final SharedWorkLease operator = store.lease("orders", 0, "operator", Duration.ofHours(1));
    private final List<String> questions = new ArrayList<>();
    private Optional<Boolean> agrees = Optional.empty();

    private record Result(int code, String out, String errors) {}

    private Result run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int code = new Leases(
                        options -> new Store(operator, () -> {}),
                        question -> {
                            questions.add(question);
                            return agrees;
                        },
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(errors, true, StandardCharsets.UTF_8))
                .run(List.of(arguments));
        return new Result(code, out.toString(StandardCharsets.UTF_8), errors.toString(StandardCharsets.UTF_8));
    }

    private AcquireResult.Acquired acquire(String domainId, long offset) {
        return (AcquireResult.Acquired) worker.tryAcquire(domainId, offset);
    }

    private void park(String domainId, long offset, String reason) {
        worker.fail(domainId, acquire(domainId, offset).token(), new Failure(0, true, reason));
    }

    @Test
    @DisplayName("list shows each domain in a line, and where the next page begins")
    void list_domains_areInPages() {
        acquire("anna", 7);
        worker.tryAcquire("anna", 8);
        park("bert", 1, "no such article");
        acquire("carl", 1);

        Result first = run("list", "--limit", "2");
        assertThat(first.code).isZero();
        assertThat(first.out.lines())
                .satisfiesExactly(
                        heading -> assertThat(heading)
                                .matches("domain +leased +holder +until +acquired at +fence"
                                        + " +retries +waiting +parked +processed"),
                        line -> assertThat(line).matches("anna +7 +worker-1 +[^ ]+Z +[^ ]+Z +1 +0 +1 +0 +0"),
                        line -> assertThat(line).matches("bert +- +- +- +- +- +- +0 +1 +0"),
                        line -> assertThat(line).isEqualTo("more follow: --after 'bert'"));
        assertThat(run("list", "--after=bert").out.lines())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("carl");
        assertThat(run("list", "--after", "carl").out).isEqualTo("none\n");
        assertThat(run("list", "--limit", "3").out).doesNotContain("more follow");
    }

    @Test
    @DisplayName("with --json it is one object, in ASCII, with what the table has")
    void list_json_isOneObject() {
        acquire("a\u00fc\"\n", Long.MAX_VALUE);
        park("z", 1, "");
        assertThat(run("list", "--json", "--limit=1").out)
                .matches("\\{\"domains\":\\[\\{\"domain\":\"a\\\\u00fc\\\\u0022\\\\u000a\","
                        + "\"leased\":9223372036854775807,"
                        + "\"holder\":\"worker-1\",\"until\":\"[^\"]+Z\","
                        + "\"acquiredAt\":\"[^\"]+Z\",\"fence\":1,\"retries\":0,"
                        + "\"waiting\":0,\"parked\":0,\"processed\":0\\}\\],"
                        + "\"next\":\"a\\\\u00fc\\\\u0022\\\\u000a\"\\}\n");
        assertThat(run("list", "--json", "--after=y").out)
                .contains("\"leased\":null")
                .endsWith("\"next\":null}\n");
    }

    @Test
    @DisplayName("names cannot break a line or talk to the terminal")
    void list_wildNames_areMadeVisible() {
        acquire("a\u001b[2J\nb\u202e", 1);
        assertThat(run("list").out.lines()).hasSize(2).last().asString().startsWith("a\\u001b[2J\\u000ab\\u202e ");
        assertThat(run("show", "\u001b").errors).contains("'\\u001b'").doesNotContain("\u001b");
    }

    @Test
    @DisplayName("show says what is next in line; an unknown domain is not found")
    void show_domain_showsItsLine() {
        acquire("anna", 7);
        worker.tryAcquire("anna", 9);
        worker.tryAcquire("anna", 8);
        assertThat(run("show", "anna").out.lines())
                .anyMatch(line -> line.matches("leased +7"))
                .anyMatch(line -> line.matches("next +9, 8"));
        assertThat(run("show", "anna", "--json").out).endsWith("\"backlog\":[9,8]}\n");
        Result unknown = run("show", "nobody");
        assertThat(unknown.code).isEqualTo(1);
        assertThat(unknown.errors).contains("'nobody' is not known");
    }

    @Test
    @DisplayName("something is parked: it is found without its domain, and replayed")
    void replay_parked_isNewWork() {
        acquire("anna", 7);
        park("bert", 1, "no such article");
        park("bert", 2, "no such customer");
        park("carl", 5, "");

        assertThat(run("parked").out.lines())
                .satisfiesExactly(
                        heading -> assertThat(heading).startsWith("domain"),
                        line -> assertThat(line).matches("bert +1 +0 +[^ ]+Z +no such article +2"),
                        line -> assertThat(line).matches("carl +5 +0 +[^ ]+Z +1"));
        assertThat(run("parked", "--limit=1").out).endsWith("more follow: --after 'bert'\n");
        assertThat(run("parked", "bert").out.lines()).hasSize(3);
        assertThat(run("parked", "bert", "--limit", "1").out).endsWith("the first 1 of 2: raise --limit\n");
        assertThat(run("parked", "anna").out).isEqualTo("none\n");
        assertThat(run("parked", "nobody").code).isEqualTo(1);

        assertThat(run("replay", "bert", "2").code).isZero();
        assertThat(worker.inspect("bert").orElseThrow().backlog()).containsExactly(2L);
        Result again = run("replay", "bert", "2");
        assertThat(again.code).isEqualTo(1);
        assertThat(again.errors).contains("is not parked");
        assertThat(questions).isEmpty();
    }

    @Test
    @DisplayName("release asks first, and names what is lost; without a terminal it needs --yes")
    void release_leased_isConfirmed() {
        String token = acquire("anna", 7).token();
        Result unasked = run("release", "anna");
        assertThat(unasked.code).isEqualTo(1);
        assertThat(unasked.errors).contains("held by worker-1").contains("--yes");
        agrees = Optional.of(false);
        assertThat(run("release", "anna").code).isEqualTo(1);
        assertThat(worker.renew("anna", token)).isPositive();

        agrees = Optional.of(true);
        assertThat(run("release", "anna", "--json").out)
                .isEqualTo("{\"released\":true,\"domain\":\"anna\",\"offset\":7,\"fence\":1}\n");
        assertThat(operator.pending(1, "")).containsExactly("anna");
        assertThat(run("release", "anna").errors).contains("nothing is leased");
        assertThat(run("release", "nobody", "--yes").code).isEqualTo(1);
    }

    @Test
    @DisplayName("a lease that was granted while the operator thought about it stays")
    void release_changedMeanwhile_isRefused() {
        String token = acquire("anna", 7).token();
        int code = new Leases(
                        options -> new Store(operator, () -> {}),
                        question -> {
                            worker.succeed("anna", token);
                            acquire("anna", 8);
                            return Optional.of(true);
                        },
                        System.out,
                        System.err)
                .run(List.of("release", "anna"));
        assertThat(code).isEqualTo(1);
        assertThat(worker.inspect("anna").orElseThrow().lease()).isPresent();
    }

    @Test
    @DisplayName("forget does what its option says, after it was confirmed")
    void forget_confirmed_forgets() {
        park("anna", 1, "");
        worker.succeed("bert", acquire("bert", 1).token());
        for (String[] forgetting : new String[][] {
            {"forget", "--up-to", "5"},
            {"forget", "bert", "--up-to=5"},
            {"forget", "--failed=0s"},
            {"forget", "--idle=0s"}
        }) {
            assertThat(run(forgetting).code).isEqualTo(1);
        }
        assertThat(questions.subList(2, 4))
                .satisfiesExactly(
                        failed -> assertThat(failed).contains("parked more than 0s ago"),
                        idle -> assertThat(idle).contains("had none for 0s will"));
        assertThat(operator.domains(9, "")).hasSize(2);

        assertThat(run("forget", "bert", "--up-to=5", "--yes").code).isZero();
        assertThat(worker.tryAcquire("bert", 5).code()).isEqualTo("ALREADY_PROCESSED");
        assertThat(run("forget", "--up-to=9", "--yes", "--json").out).isEqualTo("{\"domains\":2}\n");
        assertThat(worker.tryAcquire("anna", 9).code()).isEqualTo("ALREADY_PROCESSED");
        clock.advance(Duration.ofDays(1));
        assertThat(run("forget", "--failed=2d", "--yes").out).contains("forgotten: 0");
        assertThat(run("forget", "--failed=PT23H", "--yes").out).contains("forgotten: 1");
        assertThat(run("forget", "--idle=12h", "--yes").out).contains("deleted: 1");
        assertThat(run("forget", "nobody", "--up-to=5", "--yes").code).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dance",
                "list anna",
                "list --limit 0",
                "list --limit x",
                "list --limit 100001",
                "list --yes",
                "list --after",
                "list --json=1",
                "list --limit 1 --limit 2",
                "show",
                "show a b",
                "parked a --after b",
                "replay a",
                "replay a b",
                "release",
                "forget",
                "forget --up-to 1 --idle 1d",
                "forget --up-to 9223372036854775808",
                "forget --idle 1",
                "forget --idle -1d",
                "forget a --failed 1d"
            })
    @DisplayName("a wrong command line exits with 2, says why on the error stream, and does nothing")
    void run_wrongLine_isMisuse(String line) {
        Result result = run(line.split(" "));
        assertThat(result.code).isEqualTo(2);
        assertThat(result.out).isEmpty();
        assertThat(result.errors).startsWith("tidegate leases: ").contains("expected:");
    }

    @Test
    @DisplayName("help is printed when it is asked for, and as an error when nothing is")
    void help_isPrinted() {
        assertThat(run("help")).isEqualTo(new Result(0, Leases.HELP, ""));
        assertThat(run()).isEqualTo(new Result(2, "", Leases.HELP));
    }

    @Test
    @DisplayName("what follows -- is no option")
    void parse_afterDashes_areWords() {
        acquire("--json", 1);
        assertThat(run("show", "--", "--json").code).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bert",
                "two words",
                "o'neil",
                "'",
                "''\\''",
                "a\"b`c$d\\e!f",
                "$(touch x)",
                "*?[a]{b,c}~#;&|<>()",
                "--json",
                "-",
                "M\u00fcller",
                "a\u001b[2J\nb\u202e%s\\0!'\"",
                "-\t%d",
                "ends\n\n",
                "\n"
            })
    @DisplayName("the way to the next page is words that a shell takes as they are, whatever the domain's name is")
    void list_more_isTakenByAShell(String domain) throws Exception {
        park(domain, 1, "");
        park("zzz", 1, "");
        for (String command : List.of("list", "parked")) {
            String printed = run(command, "--limit=1").out;
            String more = printed.substring(
                    printed.indexOf("more follow: ") + "more follow: ".length(), printed.length() - 1);
            assertThat(printed.replace("\n", "")).doesNotContainPattern("\\p{Cntrl}|\u202e");
            assertThat(shell("printf '%s|' " + more)).isEqualTo("--after|" + domain + "|");
        }
    }

    private static String shell(String line) throws Exception {
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", line).redirectErrorStream(true);
        shell.environment().put("LC_ALL", "C.UTF-8");
        Process process = shell.start();
        process.getOutputStream().close();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
