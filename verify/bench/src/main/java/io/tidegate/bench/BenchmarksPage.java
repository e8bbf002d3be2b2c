package io.tidegate.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * {@code docs/benchmarks.md}: one section for each part, between two comments. Each section is written without changes
 * to the rest.
 */
final class BenchmarksPage {
    private static final String HEAD = """
            # Benchmarks

            The command that each section names measures and writes it: lower bounds (*floors*), other libraries \
            (*peers*) and
            Tidegate, in one run. `t1` and `t2`
            are the numbers of threads that share one object. Times are medians over the iterations in which \
            no other process took
            the processors away; `~` marks one without such an iteration. Compare them only within one table:
            `× floor` divides by the first line of the work, `× best peer` by the fastest other library. \
            `B` is the bytes
            allocated for one operation.
            """;

    private final Path file;

    BenchmarksPage(Path file) {
        this.file = file;
    }

    void write(Part part, String section) throws IOException {
        String page = Files.exists(file) ? Files.readString(file) : HEAD;
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, withSection(page, part.name(), section));
    }

    static String withSection(String page, String name, String section) {
        String begin = "<!-- bench:" + name + " -->\n";
        String end = "<!-- /bench:" + name + " -->\n";
        int from = page.indexOf(begin);
        int to = page.indexOf(end, Math.max(from, 0));
        if (from < 0 && to < 0) {
            return page + "\n" + begin + section + end;
        }
        if (from < 0 || to < 0) {
            throw new IllegalStateException("the page has one of the two comments around section " + name + " only");
        }
        return page.substring(0, from) + begin + section + page.substring(to);
    }
}
