package io.tidegate.evidence;

import java.util.List;

/** A rule with all checks that name it. */
record RuleEvidence(String rule, String says, Outcome outcome, List<Check> checks) {
    static RuleEvidence of(Rule rule, List<Check> all) {
        List<Check> checks = all.stream()
                .filter(check -> check.rules().contains(rule.name()))
                .toList();
        return new RuleEvidence(rule.name(), rule.says(), outcome(checks), checks);
    }

    /* A skipped check counts, because it may be the only one that would have failed. */
    private static Outcome outcome(List<Check> checks) {
        if (checks.isEmpty()) {
            return Outcome.NO_TEST;
        }
        for (Outcome bad : List.of(Outcome.FAILED, Outcome.SKIPPED)) {
            if (checks.stream().anyMatch(check -> check.outcome() == bad)) {
                return bad;
            }
        }
        return Outcome.PASSED;
    }
}
