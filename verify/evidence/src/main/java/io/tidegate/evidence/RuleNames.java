package io.tidegate.evidence;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The form of rules' names: {@code AB-7}, and {@code INV-RB-CAPPED} for an invariant. The family of both is its two
 * letters.
 */
final class RuleNames {
    private static final Pattern NAME =
            Pattern.compile("(?<![\\w-])(?:[A-Z]{2}-\\d+|INV-[A-Z]{2}(?:-[A-Z]+)+)(?![\\w-])");
    private static final String INVARIANT = "INV-";
    private static final int LETTERS = 2;

    private RuleNames() {}

    /** Finds all rules that a text names, each once, in order. */
    static List<String> in(String text) {
        return NAME.matcher(text).results().map(MatchResult::group).distinct().toList();
    }

    static String family(String rule) {
        int start = rule.startsWith(INVARIANT) ? INVARIANT.length() : 0;
        return rule.substring(start, start + LETTERS);
    }
}
