package io.tidegate.evidence;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** {@code ./tidegate evidence [part]}: runs the tests that name a rule, and reports the outcome of each rule. */
final class EvidenceCommand {
    private static final int SCRIPTS = 50;

    private final Path root;
    private final Path folder;
    private final Path mavenLog;
    private final PrintStream out;
    private final PrintStream errors;
    private final boolean terminal;

    EvidenceCommand(Path root, PrintStream out, PrintStream errors, boolean terminal) {
        this.root = root;
        this.folder = root.resolve("target").resolve("evidence");
        this.mavenLog = root.resolve("target").resolve("tidegate-evidence.log");
        this.out = out;
        this.errors = errors;
        this.terminal = terminal;
    }

    /** Returns 0 when every rule has passed, 1 when one has not, and 2 when the request was not understood. */
    int run(List<String> words) throws IOException, InterruptedException {
        List<Part> parts;
        try {
            parts = words.isEmpty()
                    ? List.of(Part.values())
                    : words.stream().map(Part::named).distinct().toList();
        } catch (IllegalArgumentException e) {
            errors.println("tidegate: " + e.getMessage());
            errors.println("usage: ./tidegate evidence [part]      without a part: all of them");
            return 2;
        }
        Map<Part, List<Rule>> rules = new EnumMap<>(Part.class);
        for (Part part : parts) {
            rules.put(part, Rule.read(root.resolve(part.page())));
        }
        return collect(rules);
    }

    private int collect(Map<Part, List<Rule>> rules) throws IOException, InterruptedException {
        clear(rules.keySet());
        Path recorded = Files.createDirectories(folder.resolve("tests")).toAbsolutePath();
        out.println("What Maven says is in " + mavenLog + ".");
        Revision before = Revision.now(root);
        TestRun run = new TestRun(ownClasses(), recorded, mavenLog, new ProgressLine(out, terminal));
        if (!run.run(modules(rules.keySet()), families(rules))) {
            errors.println("tidegate: Maven failed, and nothing is known of any rule; see " + mavenLog);
            return 1;
        }
        List<Check> checks = new ArrayList<>();
        if (rules.containsKey(Part.REMOTE)) {
            Path logs = folder.resolve("logs");
            checks.addAll(new RecordedLogs(logs, new RandomLife(), SCRIPTS, new ProgressLine(out, terminal)).check());
        }
        return judge(rules, recorded, checks, before.until(Revision.now(root)));
    }

    /**
     * Joins the recorded results with the rules, and writes and prints the evidence.
     *
     * @return 0 if every rule has passed, else 1
     */
    int judge(Map<Part, List<Rule>> rules, Path recorded, List<Check> others, Revision revision) throws IOException {
        TestResults tests = TestResults.read(recorded);
        List<Check> checks =
                Stream.concat(tests.checks().stream(), others.stream()).toList();
        String madeAt = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        SummaryTable table = new SummaryTable();
        boolean good = true;
        for (Map.Entry<Part, List<Rule>> entry : rules.entrySet()) {
            Part part = entry.getKey();
            Surroundings surroundings =
                    Surroundings.of("./tidegate evidence " + part.word(), madeAt, revision, tests.surroundings());
            Evidence evidence = Evidence.of(part, entry.getValue(), checks, surroundings);
            Files.writeString(folder.resolve(part.word() + ".json"), evidence.toJson());
            Files.writeString(folder.resolve(part.word() + ".md"), EvidencePage.of(evidence));
            table.add(evidence);
            good &= evidence.outcome() == Outcome.PASSED;
        }
        out.println();
        out.print(table);
        out.println();
        out.println("Written to " + folder + ", a page and a JSON file for each part.");
        return good ? 0 : 1;
    }

    private static Set<String> modules(Set<Part> parts) {
        Set<String> modules = new LinkedHashSet<>();
        parts.forEach(part -> modules.addAll(part.modules()));
        return modules;
    }

    private static Set<String> families(Map<Part, List<Rule>> rules) {
        Set<String> families = new LinkedHashSet<>();
        rules.values().forEach(list -> list.forEach(rule -> families.add(RuleNames.family(rule.name()))));
        return families;
    }

    /*
     * Returns the folder with this program's own classes, beside its jar. The tests must not see the libraries in the
     * jar.
     */
    private static Path ownClasses() {
        try {
            Path jar = Path.of(EvidenceCommand.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return jar.resolveSibling("classes");
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Deletes the results that an earlier run has left for these parts, so that they are not taken for those of this
     * run.
     */
    void clear(Set<Part> parts) throws IOException {
        delete(folder.resolve("tests"));
        if (parts.contains(Part.REMOTE)) {
            delete(folder.resolve("logs"));
        }
        for (Part part : parts) {
            delete(folder.resolve(part.word() + ".json"));
            delete(folder.resolve(part.word() + ".md"));
        }
    }

    private static void delete(Path path) throws IOException {
        if (Files.exists(path)) {
            List<Path> content;
            try (Stream<Path> walk = Files.walk(path)) {
                content = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path each : content) {
                Files.delete(each);
            }
        }
    }
}
