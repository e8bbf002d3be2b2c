package io.tidegate.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The findings of all libraries in all situations, as Markdown.
 *
 * @param libraries in the order of the columns
 * @param situations in the order of the rows
 */
record Table<S extends Situation>(List<Library> libraries, List<S> situations, Map<Library, Map<S, Finding>> findings) {
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        Properties versions = versions();
        append(text, "", library -> library.title() + " " + versions.getProperty(library.title()));
        append(text, "---", library -> "---");
        for (S situation : situations) {
            append(
                    text,
                    situation.title(),
                    library -> finding(library, situation).toString());
        }
        return text.toString();
    }

    Finding finding(Library library, S situation) {
        return Objects.requireNonNull(
                Objects.requireNonNull(findings.get(library), library::title).get(situation), situation::title);
    }

    private void append(StringBuilder text, String head, Function<Library, String> cell) {
        String cells = libraries.stream().map(cell).collect(Collectors.joining(" | "));
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
