package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compiles the Java in the documents. */
class SnippetsTest {
    static Stream<Snippet> snippets() throws IOException {
        return Page.all().stream().flatMap(page -> page.snippets().stream());
    }

    @ParameterizedTest
    @MethodSource("snippets")
    void snippet_compilesWithoutWarning(Snippet snippet) {
        assertThat(snippet.problems()).isEmpty();
    }

    @Test
    void readme_firstExample_hasAtMostEightLines() {
        assertThat(Page.read("README.md").snippets().get(0).length()).isBetween(1, 8);
    }
}
