package io.tidegate.ops;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A command line, taken apart.
 *
 * @param words the words that are neither the command nor an option
 * @param values by the option's name
 */
record Options(Command command, List<String> words, Map<String, String> values) {
    private static final Pattern SHORT_DURATION = Pattern.compile("([0-9]{1,9})([smhd])");
    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST_LIMIT = 100_000;

    static Options parse(List<String> arguments) {
        Command command = Command.named(arguments.get(0));
        List<String> words = new ArrayList<>();
        Map<String, String> values = new HashMap<>();
        boolean optionsEnded = false;
        for (int i = 1; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (optionsEnded || !argument.startsWith("--")) {
                words.add(argument);
            } else if (argument.equals("--")) {
                optionsEnded = true;
            } else {
                String[] parts = argument.substring(2).split("=", 2);
                String name = parts[0];
                if (!command.takes(name)) {
                    throw new Misuse("unknown option '--" + OutputText.visible(name) + "' of " + command
                            + " (expected: one that help names)");
                }
                boolean isFlag = Command.FLAGS.contains(name);
                if (isFlag && parts.length == 2) {
                    throw new Misuse("--" + name + ": has a value (expected: none)");
                }
                if (!isFlag && parts.length == 1 && ++i == arguments.size()) {
                    throw new Misuse("--" + name + ": no value (expected: one)");
                }
                String value = isFlag ? "" : parts.length == 2 ? parts[1] : arguments.get(i);
                if (values.put(name, value) != null) {
                    throw new Misuse("--" + name + ": given twice (expected: once)");
                }
            }
        }
        if (words.size() < command.fewestWords || words.size() > command.mostWords) {
            throw new Misuse(command + ": " + words.size() + " words (expected: "
                    + (command.fewestWords == command.mostWords
                            ? command.mostWords
                            : command.fewestWords + " to " + command.mostWords)
                    + ")");
        }
        if (words.contains("")) {
            throw new Misuse(command + ": an empty word (expected: none)");
        }
        Options options = new Options(command, List.copyOf(words), Map.copyOf(values));
        options.check();
        return options;
    }

    /** Reads all words and options, so that no store is opened before the whole line is known to be right. */
    private void check() {
        switch (command) {
            case LIST -> limit();
            case PARKED -> {
                limit();
                if (has("after") && !words.isEmpty()) {
                    throw new Misuse("--after: given with a domain (expected: only without)");
                }
            }
            case REPLAY -> offset();
            case FORGET -> checkForget();
            case SHOW, RELEASE -> {}
        }
    }

    private void checkForget() {
        List<String> chosen =
                Stream.of("up-to", "failed", "idle").filter(this::has).toList();
        if (chosen.size() != 1) {
            throw new Misuse("forget: " + chosen.size() + " of --up-to, --failed and --idle (expected: one)");
        }
        if (has("up-to")) {
            upTo();
            return;
        }
        if (!words.isEmpty()) {
            throw new Misuse("forget: a domain (expected: only with --up-to)");
        }
        age(chosen.get(0));
    }

    /** Returns the domain that the command is about; empty for all domains. */
    Optional<String> domain() {
        return words.stream().findFirst();
    }

    /** Returns the offset of {@code replay}. */
    long offset() {
        return number("OFFSET", words.get(1));
    }

    long upTo() {
        return number("--up-to", required("up-to", "1000"));
    }

    /** Returns the duration that an option gives. */
    Duration age(String option) {
        return duration("--" + option, required(option, "30d"));
    }

    boolean has(String option) {
        return values.containsKey(option);
    }

    Optional<String> value(String option) {
        return Optional.ofNullable(values.get(option));
    }

    String required(String option, String example) {
        return value(option)
                .filter(value -> !value.isBlank())
                .orElseThrow(() -> new Misuse("--" + option + ": none (expected: one, such as " + example + ")"));
    }

    int limit() {
        long limit = value("limit").map(text -> number("--limit", text)).orElse((long) DEFAULT_LIMIT);
        if (limit < 1 || limit > MOST_LIMIT) {
            throw new Misuse("--limit: " + limit + " (expected: 1 to " + MOST_LIMIT + ")");
        }
        return (int) limit;
    }

    private static long number(String what, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException none) {
            throw new Misuse(what + ": '" + OutputText.visible(text) + "' (expected: a whole number of 64 bits)");
        }
    }

    /** Reads a duration such as {@code 30d}, or as {@link Duration} writes it. */
    private static Duration duration(String what, String text) {
        try {
            Matcher matcher = SHORT_DURATION.matcher(text);
            Duration duration = matcher.matches()
                    ? inUnits(Long.parseLong(matcher.group(1)), matcher.group(2))
                    : Duration.parse(text);
            if (!duration.isNegative()) {
                return duration;
            }
        } catch (DateTimeException none) {
            // reported below
        }
        throw new Misuse(
                what + ": '" + OutputText.visible(text) + "' (expected: an age, such as 30d, 12h, 15m or 10s)");
    }

    private static Duration inUnits(long number, String unit) {
        return switch (unit) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
