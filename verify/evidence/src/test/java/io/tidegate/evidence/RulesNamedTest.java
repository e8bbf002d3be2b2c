package io.tidegate.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the rules' pages with the names of tests in the source. */
class RulesNamedTest {
    private static final Pattern DISPLAY_NAME =
            Pattern.compile("@DisplayName\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"[\\s+]*)+)\\)");
    private static final Path HERE = Repository.ROOT.resolve("verify").resolve("evidence");

    private static Set<String> written() throws IOException {
        Set<String> written = new TreeSet<>();
        for (Part part : Part.values()) {
            Rule.read(Repository.ROOT.resolve(part.page())).forEach(rule -> written.add(rule.name()));
        }
        return written;
    }

    private static Set<String> named() throws IOException {
        Set<String> named = new TreeSet<>();
        Files.walkFileTree(Repository.ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = String.valueOf(folder.getFileName());
                // The tests of this module name made-up rules.
                boolean skipped = name.equals("target") || name.startsWith(".") || folder.equals(HERE);
                return skipped && !folder.equals(Repository.ROOT)
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (file.toString().endsWith(".java")) {
                    DISPLAY_NAME
                            .matcher(Files.readString(file))
                            .results()
                            .forEach(match -> named.addAll(RuleNames.in(match.group(1))));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return named;
    }

    @Test
    void rule_written_isNamedByATest() throws IOException {
        Set<String> unnamed = written();
        unnamed.removeAll(named());

        assertThat(unnamed).isEmpty();
    }

    @Test
    void rule_namedByATest_isWritten() throws IOException {
        Set<String> unwritten = named();
        unwritten.removeAll(written());

        assertThat(unwritten).isEmpty();
    }
}
