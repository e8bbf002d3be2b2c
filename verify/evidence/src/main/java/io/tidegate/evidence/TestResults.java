package io.tidegate.evidence;

import io.tidegate.evidence.TestLine.What;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The results that the {@link TestRecorder}s of a run have written.
 *
 * @param checks one for each method in each module
 * @param surroundings the JDKs and systems that they ran on
 */
record TestResults(List<Check> checks, List<String> surroundings) {
    /**
     * Reads the files in a folder.
     *
     * @throws IllegalArgumentException if a file is not what a recorder writes, with its name and line
     */
    static TestResults read(Path folder) throws IOException {
        TreeSet<String> surroundings = new TreeSet<>();
        List<Check> checks = new ArrayList<>();
        for (Path file : files(folder)) {
            Map<String, List<TestLine>> methods = new LinkedHashMap<>();
            int number = 0;
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                number++;
                if (line.startsWith(TestRecorder.SURROUNDINGS)) {
                    surroundings.add(line.substring(TestRecorder.SURROUNDINGS.length()));
                } else {
                    TestLine event = parse(file, number, line);
                    methods.computeIfAbsent(event.id(), id -> new ArrayList<>()).add(event);
                }
            }
            methods.values().forEach(lines -> checks.add(check(lines)));
        }
        return new TestResults(List.copyOf(checks), List.copyOf(surroundings));
    }

    static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".tests"))
                    .sorted()
                    .toList();
        }
    }

    private static TestLine parse(Path file, int number, String line) {
        try {
            return TestLine.parse(line);
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(file + ", line " + number + ": " + unreadable.getMessage(), unreadable);
        }
    }

    private static Check check(List<TestLine> lines) {
        TestLine method = lines.get(0);
        List<TestLine> runs = lines.stream()
                .filter(line -> line.what() != What.PLANNED && line.what() != What.ENDED)
                .toList();
        Outcome outcome = outcome(lines);
        String failure = runs.stream()
                .filter(line -> line.what() != What.PASSED)
                .map(TestLine::message)
                .findFirst()
                .orElse(outcome == Outcome.PASSED ? "" : "did not run to its end");
        return new Check(
                method.module(),
                method.testClass(),
                method.method(),
                method.name(),
                RuleNames.in(method.rules()),
                outcome,
                runs.size(),
                runs.stream().mapToLong(TestLine::millis).sum(),
                failure);
    }

    private static Outcome outcome(List<TestLine> lines) {
        if (has(lines, What.FAILED) || !has(lines, What.ENDED)) {
            return Outcome.FAILED;
        }
        if (has(lines, What.SKIPPED)) {
            return Outcome.SKIPPED;
        }
        return has(lines, What.PASSED) ? Outcome.PASSED : Outcome.FAILED;
    }

    private static boolean has(List<TestLine> lines, What what) {
        return lines.stream().anyMatch(line -> line.what() == what);
    }
}
