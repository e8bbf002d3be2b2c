package io.tidegate.ops;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The commands, each with its words and options. */
enum Command {
    LIST(0, 0, "limit", "after"),
    SHOW(1, 1),
    PARKED(0, 1, "limit", "after"),
    REPLAY(2, 2),
    RELEASE(1, 1, "yes"),
    FORGET(0, 1, "up-to", "failed", "idle", "yes");

    /** The options that have no value. */
    static final Set<String> FLAGS = Set.of("json", "yes");

    private static final Set<String> COMMON = Set.of("store", "name", "user", "prefix", "json");

    final int fewestWords;
    final int mostWords;

    @SuppressWarnings("ImmutableEnumChecker") // Set.of makes it immutable
    private final Set<String> options;

    Command(int fewestWords, int mostWords, String... options) {
        this.fewestWords = fewestWords;
        this.mostWords = mostWords;
        this.options = Set.of(options);
    }

    boolean takes(String option) {
        return COMMON.contains(option) || options.contains(option);
    }

    static Command named(String word) {
        return Stream.of(values())
                .filter(command -> command.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> new Misuse("unknown command '" + OutputText.visible(word) + "' (expected: "
                        + Stream.of(values()).map(Command::toString).collect(Collectors.joining(", ")) + ", help)"));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
