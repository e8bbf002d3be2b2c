package io.tidegate.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import java.util.Properties;

/**
 * Where and when the evidence was made.
 *
 * @param command that makes it again
 * @param madeAt when
 * @param library its version
 * @param commit of the code; {@value Revision#UNKNOWN} outside a repository
 * @param uncommitted whether files differed from that commit, or changed while the tests ran
 * @param ranOn the JDKs and systems that the tests ran on
 */
record Surroundings(
        String command, String madeAt, String library, String commit, boolean uncommitted, List<String> ranOn) {
    static Surroundings of(String command, String madeAt, Revision revision, List<String> ranOn) throws IOException {
        return new Surroundings(command, madeAt, version(), revision.commit(), revision.uncommitted(), ranOn);
    }

    private static String version() throws IOException {
        Properties versions = new Properties();
        try (InputStream file = Surroundings.class.getResourceAsStream("versions.properties")) {
            versions.load(Objects.requireNonNull(file, "versions.properties"));
        }
        return Objects.requireNonNull(versions.getProperty("tidegate"), "tidegate");
    }
}
