package io.tidegate.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * What a reader must know to believe it.
 *
 * @param command that makes it again
 * @param madeAt when
 * @param library its version
 * @param commit of the code; {@value #UNKNOWN} outside of a repository
 * @param uncommitted whether files differ from that commit
 * @param ranOn the JDKs and systems that the tests ran on
 */
record Surroundings(
        String command, String madeAt, String library, String commit, boolean uncommitted, List<String> ranOn) {
    private static final String UNKNOWN = "unknown";

    static Surroundings now(String command, String madeAt, List<String> ranOn)
            throws IOException, InterruptedException {
        String commit = git("rev-parse", "HEAD");
        return new Surroundings(
                command,
                madeAt,
                version(),
                commit.isEmpty() ? UNKNOWN : commit,
                !git("status", "--porcelain").isEmpty(),
                ranOn);
    }

    private static String version() throws IOException {
        Properties versions = new Properties();
        try (InputStream file = Surroundings.class.getResourceAsStream("versions.properties")) {
            versions.load(Objects.requireNonNull(file, "versions.properties"));
        }
        return versions.getProperty("tidegate", UNKNOWN);
    }

    /* Empty if there is no git, or no repository. */
    private static String git(String... words) throws IOException, InterruptedException {
        Process git;
        try {
            git = new ProcessBuilder(
                            Stream.concat(Stream.of("git"), Stream.of(words)).toList())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noGit) {
            return "";
        }
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return git.waitFor() == 0 ? said.strip() : "";
    }
}
