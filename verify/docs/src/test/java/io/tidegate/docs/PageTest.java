package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shows that the checks of the documents find mistakes and name their place. */
class PageTest {
    @TempDir
    private Path folder;

    private Page page(String text) {
        return new Page(folder.resolve("page.md"), "page.md", text.lines().toList());
    }

    private List<String> problems(String text) {
        return page(text).snippets().stream()
                .flatMap(snippet -> snippet.problems().stream())
                .toList();
    }

    @Test
    void snippet_statements_compile() {
        assertThat(problems("""
                <!-- given: CompletionStage<String> ask(); -->
                ```java
                var bulkhead = AsyncBulkhead.of(1);
                bulkhead.submit(() -> ask()).toCompletableFuture().get();
                ```
                """)).isEmpty();
    }

    @Test
    void snippet_members_compile() {
        assertThat(problems("""
                ```java
                private final AsyncBulkhead bulkhead = AsyncBulkhead.of(1);

                int free() {
                    return bulkhead.available();
                }
                ```
                """)).isEmpty();
    }

    @Test
    void snippet_wholeFile_hasOnlyTheImportsItShows() {
        assertThat(problems("""
                ```java
                import io.tidegate.bulkhead.AsyncBulkhead;

                class Shop {
                    AsyncBulkhead bulkhead = AsyncBulkhead.of(1);
                }
                ```
                """)).isEmpty();
        assertThat(problems("""
                ```java
                import io.tidegate.bulkhead.AsyncBulkhead;

                class Shop {
                    AsyncBulkhead bulkhead;
                    Guard guard;
                }
                ```
                """))
                .singleElement()
                .asString()
                .startsWith("page.md:6: ")
                .contains("Guard");
    }

    @Test
    void snippet_nameOfTwoParts_isThatOfItsImport() {
        String snippet = """
                <!-- given: Object answer(); -->
                ```java
                %s
                boolean waits = answer() instanceof AcquireResult.Enqueued;
                ```
                """;

        assertThat(problems(snippet.formatted("import io.tidegate.lease.AcquireResult;")))
                .isEmpty();
        assertThat(problems(snippet.formatted("import io.tidegate.remote.AcquireResult;")))
                .first()
                .asString()
                .startsWith("page.md:4: ");
        assertThat(problems(snippet.formatted("")))
                .first()
                .asString()
                .startsWith("page.md:4: ")
                .contains("AcquireResult");
    }

    @Test
    void snippet_unknownMethod_isFoundOnItsLine() {
        assertThat(problems("""
                # Page

                ```java
                AsyncBulkhead bulkhead = AsyncBulkhead.of(1);
                bulkhead.shutDown();
                ```
                """))
                .singleElement()
                .asString()
                .startsWith("page.md:5: ")
                .contains("shutDown");
    }

    @Test
    void snippet_syntaxError_isFoundOnItsLine() {
        String inStatements = """
                ```java
                AsyncBulkhead bulkhead = AsyncBulkhead.of(1);
                bulkhead.stats()
                ```
                """;
        String inMembers = """
                ```java
                private int limit() {
                    return 1
                }
                ```
                """;

        assertThat(problems(inStatements)).first().asString().startsWith("page.md:3: ");
        assertThat(problems(inMembers)).first().asString().startsWith("page.md:3: ");
    }

    @Test
    void snippet_warning_isAProblem() {
        assertThat(problems("""
                ```java
                List list = new ArrayList<String>();
                ```
                """))
                .singleElement()
                .asString()
                .startsWith("page.md:2: ")
                .contains("raw");
    }

    @Test
    void snippet_brokenGiven_isFoundOnItsLine() {
        assertThat(problems("""
                <!-- given:
                int limit();
                Nothing what();
                -->
                ```java
                AsyncBulkhead.of(limit());
                ```
                """))
                .singleElement()
                .asString()
                .startsWith("page.md:3: ")
                .contains("Nothing");
    }

    @Test
    void snippet_otherComment_isNotGiven() {
        assertThat(problems("""
                <!-- int limit(); -->
                ```java
                AsyncBulkhead.of(limit());
                ```
                """)).hasSize(1);
    }

    @Test
    void snippet_otherLanguage_isNotCompiled() {
        assertThat(page("""
                ```text
                no Java
                ```
                """).snippets()).isEmpty();
    }

    @Test
    void block_withoutEnd_isRefused() {
        Page page = page("""
                # Page
                ```java
                AsyncBulkhead.of(1);
                """);

        assertThatThrownBy(page::snippets).hasMessage("page.md:2: a block that does not end");
    }

    @Test
    void links_toNothing_areFoundOnTheirLines() throws IOException {
        Files.writeString(folder.resolve("page.md"), "# One heading: `code`, too\n");

        assertThat(page("""
                # One heading: `code`, too
                [page](page.md), [heading](page.md#one-heading-code-too), [here](#one-heading-code-too),
                [outside](https://tidegate.example/none), `[code](none.md)`
                [gone](gone.md) and [gone](#gone)
                ```text
                [block](none.md)
                ```
                """).brokenLinks())
                .containsExactly("page.md:4: no file gone.md", "page.md:4: no heading #gone");
    }

    @Test
    void quote_linesThatTheFileHasNotOrElsewhere_areFoundOnTheirLines() throws IOException {
        Path file = Files.writeString(folder.resolve("Example.java"), "one();\n    two();\n\nthree();\n");

        assertThat(page("""
                <!-- from: %s -->
                <!-- given: int given(); -->
                ```java
                    one();

                three();
                two();
                four();
                ```
                ```text
                five();
                ```
                """.formatted(file)).wrongQuotes())
                .hasSize(2)
                .satisfies(wrong -> assertThat(wrong.get(0)).startsWith("page.md:7: not in "))
                .satisfies(wrong -> assertThat(wrong.get(1)).startsWith("page.md:8: not in "));
    }

    @Test
    void words_codeIncluded_areCounted() {
        assertThat(page("""
                # Two words

                three  more\there
                ```java
                int i = 0;
                ```
                """).words()).isEqualTo(12);
    }

    @Test
    void pictures_diagramsAndImages_areCounted() {
        assertThat(page("""
                ![a chart](chart.svg) and [a link](chart.svg)
                ```mermaid
                flowchart LR
                ```
                ```text
                ![not](this.svg)
                ```
                """).pictures()).isEqualTo(2);
    }

    @Test
    void pictures_proseOnly_areNone() {
        assertThat(page("no picture, only [a link](chart.svg)").pictures()).isZero();
    }

    @Test
    void sections_blocksAndDeeperOnesLeftOut_areInOrder() {
        assertThat(page("""
                # Page
                ## Use
                ### Deeper
                ```text
                ## not this
                ```
                ## Outcomes: what survives
                """).sections()).containsExactly("use", "outcomes");
    }
}
