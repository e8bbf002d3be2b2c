package io.tidegate.evidence;

import java.util.ArrayList;
import java.util.List;

/** The results of all parts, a line for each, and below it the failures. */
final class SummaryTable {
    private static final String LINE = "%-10s%8s%8s%8s%8s%8s%8s%8s%n";

    private final StringBuilder lines = new StringBuilder(
            LINE.formatted("part", "rules", "passed", "failed", "skipped", "no test", "checks", "runs"));
    private final List<String> wrong = new ArrayList<>();

    void add(Evidence evidence) {
        Evidence.Counts counts = evidence.counts();
        lines.append(LINE.formatted(
                evidence.part(),
                counts.rules(),
                counts.passed(),
                counts.failed(),
                counts.skipped(),
                counts.noTest(),
                counts.checks(),
                counts.runs()));
        if (evidence.outcome() != Outcome.PASSED) {
            wrong.add(evidence.part() + ": " + EvidencePage.summary(evidence));
            evidence.rules().stream()
                    .flatMap(rule -> rule.checks().stream())
                    .filter(check -> check.outcome() != Outcome.PASSED)
                    .map(check -> "  %s: %s (%s %s.%s): %s"
                            .formatted(
                                    check.outcome().shown(),
                                    check.name(),
                                    check.module(),
                                    check.testClass(),
                                    check.method(),
                                    check.failure()))
                    .distinct()
                    .forEach(wrong::add);
        }
    }

    @Override
    public String toString() {
        return lines + (wrong.isEmpty() ? "" : "\n" + String.join("\n", wrong) + "\n");
    }
}
