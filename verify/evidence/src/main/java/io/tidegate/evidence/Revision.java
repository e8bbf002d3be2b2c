package io.tidegate.evidence;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The checked code.
 *
 * @param commit {@value #UNKNOWN} outside a repository
 * @param uncommitted whether files differ from that commit
 */
record Revision(String commit, boolean uncommitted) {
    static final String UNKNOWN = "unknown";

    static Revision now(Path root) throws IOException, InterruptedException {
        String commit = git(root, "rev-parse", "HEAD");
        return new Revision(
                commit.isEmpty() ? UNKNOWN : commit,
                !git(root, "status", "--porcelain").isEmpty());
    }

    /** Returns the revision of code that was this one before the tests ran, and another one after them. */
    Revision until(Revision later) {
        return equals(later) ? this : new Revision(commit, true);
    }

    /* Returns the output of git; empty if there is no git, or no repository. */
    private static String git(Path root, String... words) throws IOException, InterruptedException {
        Process git;
        try {
            git = new ProcessBuilder(
                            Stream.concat(Stream.of("git"), Stream.of(words)).toList())
                    .directory(root.toAbsolutePath().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException noGit) {
            return "";
        }
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return git.waitFor() == 0 ? said.strip() : "";
    }
}
