package io.tidegate.evidence;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Everything that is known of a part; the fields are those of the JSON.
 *
 * @param part as typed on the command line
 * @param title in words
 * @param outcome passed if every rule has passed
 * @param surroundings where and when the checks ran
 * @param counts the numbers of rules and checks
 * @param unknownRules rules that a test names and no page contains
 * @param rules in the order of their page
 */
record Evidence(
        String part,
        String title,
        Outcome outcome,
        Surroundings surroundings,
        Counts counts,
        List<String> unknownRules,
        List<RuleEvidence> rules) {
    private static final Gson GSON =
            new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

    /** The number of rules, in all and by outcome; the number of checks, and of their runs. */
    record Counts(int rules, int passed, int failed, int skipped, int noTest, int checks, int runs) {}

    /** Joins the rules of a part with the checks that name them. Leaves out checks of other parts. */
    static Evidence of(Part part, List<Rule> rules, List<Check> all, Surroundings surroundings) {
        Set<String> families =
                rules.stream().map(rule -> RuleNames.family(rule.name())).collect(Collectors.toSet());
        Set<String> known = rules.stream().map(Rule::name).collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>();
        all.forEach(check -> unknown.addAll(check.rules()));
        unknown.removeIf(rule -> !families.contains(RuleNames.family(rule)));
        unknown.removeAll(known);
        List<RuleEvidence> judged =
                rules.stream().map(rule -> RuleEvidence.of(rule, all)).toList();
        List<Check> checks = all.stream()
                .filter(check -> check.rules().stream().anyMatch(known::contains))
                .toList();
        Counts counts = counts(judged, checks);
        boolean good = counts.passed() == counts.rules() && unknown.isEmpty();
        return new Evidence(
                part.word(),
                part.title(),
                good ? Outcome.PASSED : Outcome.FAILED,
                surroundings,
                counts,
                List.copyOf(unknown),
                judged);
    }

    private static Counts counts(List<RuleEvidence> rules, List<Check> checks) {
        return new Counts(
                rules.size(),
                count(rules, Outcome.PASSED),
                count(rules, Outcome.FAILED),
                count(rules, Outcome.SKIPPED),
                count(rules, Outcome.NO_TEST),
                checks.size(),
                checks.stream().mapToInt(Check::runs).sum());
    }

    private static int count(List<RuleEvidence> rules, Outcome outcome) {
        return (int) rules.stream().filter(rule -> rule.outcome() == outcome).count();
    }

    String toJson() {
        return GSON.toJson(this) + "\n";
    }
}
