package io.tidegate.evidence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule of a part.
 *
 * @param name such as {@code AB-7}
 * @param says its text
 */
record Rule(String name, String says) {
    private static final Pattern FIRST_LINE = Pattern.compile("- \\*\\*([A-Z0-9-]+)\\*\\* (.*)");

    /**
     * Reads the rules of a page: items of a list that begin with a name in bold, each with the indented lines after it.
     *
     * @throws IllegalArgumentException if there are none, or two of one name
     */
    static List<Rule> read(Path page) throws IOException {
        List<Rule> rules = new ArrayList<>();
        boolean inside = false;
        for (String line : Files.readAllLines(page)) {
            Matcher first = FIRST_LINE.matcher(line);
            if (first.matches()) {
                add(page, rules, new Rule(first.group(1), first.group(2)));
                inside = true;
            } else if (inside && line.startsWith("  ")) {
                Rule last = rules.remove(rules.size() - 1);
                rules.add(new Rule(last.name(), last.says() + " " + line.strip()));
            } else {
                inside = false;
            }
        }
        if (rules.isEmpty()) {
            throw new IllegalArgumentException(page + " has no rules");
        }
        return List.copyOf(rules);
    }

    private static void add(Path page, List<Rule> rules, Rule rule) {
        if (!RuleNames.in(rule.name()).equals(List.of(rule.name()))) {
            throw new IllegalArgumentException(page + ": " + rule.name() + " is no name of a rule");
        }
        if (rules.stream().anyMatch(other -> other.name().equals(rule.name()))) {
            throw new IllegalArgumentException(page + " has two rules " + rule.name());
        }
        rules.add(rule);
    }
}
