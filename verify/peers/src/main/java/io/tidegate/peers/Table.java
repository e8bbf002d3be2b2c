package io.tidegate.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What every library did in every situation, as Markdown. */
record Table(Map<Library, Map<Probe, Finding>> findings) {
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        Properties versions = versions();
        append(text, "", library -> library.title() + " " + versions.getProperty(library.title()));
        append(text, "---", library -> "---");
        for (Probe probe : Probe.values()) {
            append(text, probe.title(), library -> finding(library, probe).toString());
        }
        return text.toString();
    }

    Finding finding(Library library, Probe probe) {
        return Objects.requireNonNull(
                Objects.requireNonNull(findings.get(library), library::title).get(probe), probe::title);
    }

    private static void append(StringBuilder text, String head, Function<Library, String> cell) {
        String cells = Arrays.stream(Library.values()).map(cell).collect(Collectors.joining(" | "));
        text.append("| ").append(head).append(" | ").append(cells).append(" |\n");
    }

    private static Properties versions() {
        Properties versions = new Properties();
        try (InputStream file = Table.class.getResourceAsStream("versions.properties")) {
            versions.load(Objects.requireNonNull(file, "versions.properties"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return versions;
    }
}
