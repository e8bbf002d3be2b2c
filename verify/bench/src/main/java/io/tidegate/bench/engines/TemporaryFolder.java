package io.tidegate.bench.engines;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder that is deleted with its contents when it is closed. */
record TemporaryFolder(Path path) implements Closeable {
    TemporaryFolder() {
        this(create());
    }

    private static Path create() {
        try {
            return Files.createTempDirectory("tidegate-bench");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
