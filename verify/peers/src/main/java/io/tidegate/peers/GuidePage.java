package io.tidegate.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page with a table between two comments.
 *
 * @param table the table's name in the comments
 */
record GuidePage(Path file, String table) {
    String begin() {
        return "<!-- peers:" + table + " -->\n";
    }

    String end() {
        return "<!-- /peers:" + table + " -->\n";
    }

    /** Whether the page exists and has the two comments. */
    boolean isReady() throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        String page = Files.readString(file);
        int begin = page.indexOf(begin());
        return begin >= 0 && page.indexOf(end(), begin) > begin;
    }

    /** Replaces the text between the comments. */
    void write(String section) throws IOException {
        String page = Files.readString(file);
        int from = page.indexOf(begin()) + begin().length();
        int to = page.indexOf(end(), from);
        Files.writeString(file, page.substring(0, from) + section + page.substring(to));
    }
}
