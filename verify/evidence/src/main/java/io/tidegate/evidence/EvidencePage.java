package io.tidegate.evidence;

import java.util.stream.Collectors;

/** Evidence for readers, as Markdown. */
final class EvidencePage {
    private EvidencePage() {}

    static String of(Evidence evidence) {
        Surroundings surroundings = evidence.surroundings();
        Evidence.Counts counts = evidence.counts();
        StringBuilder page = new StringBuilder("""
                # Evidence: %s

                %s: %s

                - Command: `%s`, %s
                - Library: %s, commit %s%s
                - Ran on: %s
                - Checks: %d, which ran %d times

                | Rule | Outcome | Checks | Runs |
                |---|---|---|---|
                """.formatted(
                        evidence.title(),
                        evidence.outcome().shown(),
                        summary(evidence),
                        surroundings.command(),
                        surroundings.madeAt(),
                        surroundings.library(),
                        surroundings.commit(),
                        surroundings.uncommitted() ? ", with changes that are not committed" : "",
                        surroundings.ranOn().isEmpty() ? "nothing" : String.join("; ", surroundings.ranOn()),
                        counts.checks(),
                        counts.runs()));
        for (RuleEvidence rule : evidence.rules()) {
            int runs = rule.checks().stream().mapToInt(Check::runs).sum();
            page.append("| %s | %s | %d | %d |%n"
                    .formatted(
                            rule.rule(), rule.outcome().shown(), rule.checks().size(), runs));
        }
        evidence.rules().forEach(rule -> page.append(section(rule)));
        return page.toString().replace("\r\n", "\n");
    }

    /** How many rules have passed, and what is wrong with the others, in one line. */
    static String summary(Evidence evidence) {
        Evidence.Counts counts = evidence.counts();
        StringBuilder line = new StringBuilder("%d of %d rules passed".formatted(counts.passed(), counts.rules()));
        for (Outcome bad : new Outcome[] {Outcome.FAILED, Outcome.SKIPPED, Outcome.NO_TEST}) {
            String rules = evidence.rules().stream()
                    .filter(rule -> rule.outcome() == bad)
                    .map(RuleEvidence::rule)
                    .collect(Collectors.joining(" "));
            if (!rules.isEmpty()) {
                line.append("; ").append(bad.shown()).append(": ").append(rules);
            }
        }
        if (!evidence.unknownRules().isEmpty()) {
            line.append("; named by a test and written nowhere: ").append(String.join(" ", evidence.unknownRules()));
        }
        return line.toString();
    }

    private static String section(RuleEvidence rule) {
        StringBuilder section = new StringBuilder(
                "\n## %s: %s\n\n%s\n\n".formatted(rule.rule(), rule.outcome().shown(), rule.says()));
        for (Check check : rule.checks()) {
            section.append("- %s: %s (%s `%s.%s`%s)\n"
                    .formatted(
                            check.outcome().shown(),
                            oneLine(check.name()),
                            check.module(),
                            check.testClass(),
                            check.method(),
                            check.runs() == 1 ? "" : ", " + check.runs() + " runs"));
            if (!check.failure().isEmpty()) {
                section.append("  `").append(oneLine(check.failure())).append("`\n");
            }
        }
        return section.toString();
    }

    private static String oneLine(String text) {
        return text.replace('`', '\'').replaceAll("\\s+", " ");
    }
}
