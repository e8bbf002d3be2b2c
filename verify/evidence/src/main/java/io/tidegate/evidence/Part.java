package io.tidegate.evidence;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A part of the library, and the modules whose tests may name its rules. */
enum Part {
    BULKHEAD("Async bulkhead", "async-bulkhead.md", "core", "verify/lincheck"),
    ADAPTIVE("Adaptive limit", "adaptive-limit.md", "core"),
    BREAKER("Circuit breaker", "circuit-breaker.md", "core", "verify/lincheck"),
    REMOTE("Remote bulkhead", "remote-bulkhead.md", "core", "testkit", "jdbc", "redis", "verify/lincheck"),
    RATE("Rate limiter", "rate-limiter.md", "core", "verify/lincheck"),
    GROUPS("Group executor", "group-executor.md", "groups", "verify/lincheck"),
    GUARD("Guard", "guard.md", "core", "groups", "verify/docs", "verify/lincheck"),
    OBSERVE("Observing", "observe.md", "core", "groups", "jdbc", "redis", "micrometer", "verify/docs"),
    CONSOLE("Console", "console.md", "console", "verify/browser"),
    SPRING("Spring Boot", "spring-boot.md", "spring-boot"),
    LEASE("Work lease", "work-lease.md", "core", "testkit", "jdbc", "redis", "verify/lincheck");

    private final String title;
    private final Path page;
    private final String modules; // separated by commas: a list would make the enum mutable

    Part(String title, String page, String... modules) {
        this.title = title;
        this.page = Path.of("docs", "rules", page);
        this.modules = String.join(",", modules);
    }

    /**
     * Returns the part of this name.
     *
     * @throws IllegalArgumentException if there is none, with the names of all parts
     */
    static Part named(String name) {
        return Arrays.stream(values())
                .filter(part -> part.word().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("part: '" + name + "' (expected: one of " + words() + ")"));
    }

    static String words() {
        return Arrays.stream(values()).map(Part::word).collect(Collectors.joining(", "));
    }

    /** Returns the name as typed on the command line. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String title() {
        return title;
    }

    /** Returns the page of its rules, from the root folder. */
    Path page() {
        return page;
    }

    List<String> modules() {
        return List.of(modules.split(",", -1));
    }
}
