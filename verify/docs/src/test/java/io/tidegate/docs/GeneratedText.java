package io.tidegate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A generated file, or a generated block of a page: with {@code -Dtidegate.write} it is written, otherwise compared.
 */
final class GeneratedText {
    private static final Path ROOT =
            Path.of(System.getProperty("tidegate.root")).normalize();

    private GeneratedText() {}

    static String read(String name) throws IOException {
        return Files.readString(ROOT.resolve(name));
    }

    static void file(String name, String text) throws IOException {
        Path file = ROOT.resolve(name);
        if (Boolean.getBoolean("tidegate.write")) {
            Files.writeString(file, text);
        }
        assertThat(file).as(name + ", which -Dtidegate.write makes").hasContent(text);
    }

    /** Writes or compares the lines between the first line that is this fence and the end of its block. */
    static void block(String page, String fence, String text) throws IOException {
        String all = read(page);
        int start = all.indexOf(fence + "\n") + fence.length() + 1;
        assertThat(start).as(page + " has a block " + fence).isGreaterThan(fence.length());
        int end = all.indexOf("```", start);
        file(page, all.substring(0, start) + text + all.substring(end));
    }
}
