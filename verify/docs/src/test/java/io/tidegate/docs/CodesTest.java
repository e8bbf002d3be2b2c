package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Compares the table of codes with the code. */
class CodesTest {
    private static final Pattern IN_TABLE = Pattern.compile("^\\| `([A-Z]{2}_(?:ERR|WARN)_[A-Z_]+)` \\|");
    private static final Pattern IN_CODE = Pattern.compile("\"([A-Z]{2}_(?:ERR|WARN)_[A-Z_]+)\"");
    private static final Path ROOT =
            Path.of(System.getProperty("tidegate.root")).normalize();

    @Test
    @DisplayName("RF-2 the table has every code of the library, and no other")
    void table_hasEveryCode() throws IOException {
        Set<String> table = Page.read("docs/codes.md").lines().stream()
                .flatMap(line -> IN_TABLE.matcher(line).results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(table).isNotEmpty().isEqualTo(inCode());
    }

    private static Set<String> inCode() throws IOException {
        Set<String> codes = new TreeSet<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.sorted().toList()) {
                Path sources = module.resolve("src/main/java");
                if (Files.isDirectory(sources) && !module.endsWith("testkit") && !module.endsWith("lab")) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        files.filter(file -> file.toString().endsWith(".java"))
                                .flatMap(file -> IN_CODE.matcher(text(file)).results())
                                .map((MatchResult found) -> found.group(1))
                                .forEach(codes::add);
                    }
                }
            }
        }
        return codes;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
