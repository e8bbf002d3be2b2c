package io.tidegate.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarksPageTest {
    private static final Part ONE = new Part("one", "One", List.of(), List.of(), List.of());
    private static final Part TWO = new Part("two", "Two", List.of(), List.of(), List.of());

    @Test
    void write_noPageYet_makesIt(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("docs").resolve("benchmarks.md");

        new BenchmarksPage(file).write(ONE, "first\n");

        assertThat(file)
                .content()
                .startsWith("# Benchmarks\n")
                .endsWith("<!-- bench:one -->\nfirst\n<!-- /bench:one -->\n");
    }

    @Test
    void write_again_replacesTheSectionAndKeepsTheRest(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("benchmarks.md");
        BenchmarksPage page = new BenchmarksPage(file);
        page.write(ONE, "first\n");
        page.write(TWO, "second\n");
        Files.writeString(file, Files.readString(file) + "\nA note by hand.\n");
        String before = Files.readString(file);

        page.write(ONE, "first, anew\n");

        assertThat(file).content().isEqualTo(before.replace("first\n", "first, anew\n"));
    }

    @Test
    void withSection_oneCommentOnly_isAnError() {
        assertThatThrownBy(() -> BenchmarksPage.withSection("<!-- bench:one -->\nfirst\n", "one", "anew\n"))
                .isInstanceOf(IllegalStateException.class);
    }
}
