package io.tidegate.evidence;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/** The place of the repository. */
final class Repository {
    static final Path ROOT = Path.of(requireNonNull(System.getProperty("tidegate.root")))
            .toAbsolutePath()
            .normalize();

    private Repository() {}
}
