package io.tidegate.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The page with the table, which stands there between two comments. */
record GuidePage(Path file) {
    static final String BEGIN = "<!-- peers:breaker -->\n";
    static final String END = "<!-- /peers:breaker -->\n";

    /** Whether the page is there, with its two comments. */
    boolean isReady() throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        String page = Files.readString(file);
        int begin = page.indexOf(BEGIN);
        return begin >= 0 && page.indexOf(END, begin) > begin;
    }

    /** Replaces what is between the comments. */
    void write(String section) throws IOException {
        String page = Files.readString(file);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        int to = page.indexOf(END, from);
        Files.writeString(file, page.substring(0, from) + section + page.substring(to));
    }
}
