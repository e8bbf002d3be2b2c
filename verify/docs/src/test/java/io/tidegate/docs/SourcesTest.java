package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the form of the Java sources of all modules, where the formatter leaves long texts as they are. */
class SourcesTest {
    private static final int WIDTH = 120;

    static Stream<Path> modules() throws IOException {
        try (Stream<Path> files = Files.walk(Page.ROOT, 3)) {
            return files
                    .filter(file -> file.getFileName().toString().equals("pom.xml"))
                    .map(pom -> pom.resolveSibling("src"))
                    .filter(Files::isDirectory)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("modules")
    void lines_fitTheWidth(Path sources) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            assertThat(files.filter(file -> file.toString().endsWith(".java")).flatMap(SourcesTest::tooLong))
                    .isEmpty();
        }
    }

    private static Stream<String> tooLong(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalStateException(file + " cannot be read", e);
        }
        return IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).codePoints().count() > WIDTH)
                .mapToObj(i -> Page.ROOT.relativize(file) + ":" + (i + 1));
    }
}
