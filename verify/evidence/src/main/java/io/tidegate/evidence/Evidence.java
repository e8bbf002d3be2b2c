package io.tidegate.evidence;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All that is known of a part: its fields are those of the JSON.
 *
 * @param part as typed on the command line
 * @param title in words
 * @param outcome passed if every rule has
 * @param surroundings what was checked, where and when
 * @param counts how many there are of what
 * @param unknownRules named by a test and written nowhere
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

    /** How many rules there are, with which outcome; how many checks, and how often these ran. */
    record Counts(int rules, int passed, int failed, int skipped, int noTest, int checks, int runs) {}

    /** Joins the rules of a part with the checks that name them; checks of other parts are left out. */
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
