package io.tidegate.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.breaker.CircuitBreaker;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullHeapTest {
    @Test
    @DisplayName("RB-21 AB-12 CB-23 operations that leave no memory to hear of their end cost no permit and no result")
    void end_heapFull_losesNothing(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("out");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath(),
                        FullHeap.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(child.waitFor(10, TimeUnit.MINUTES)).isTrue();
        } finally {
            child.destroyForcibly();
        }
        assertThat(child.exitValue()).as(Files.readString(out)).isZero();
    }

    /**
     * Returns the jar or folder of a class. In a patched module, a test's class names the place of the module instead
     * of its own.
     */
    private static String classPath() throws URISyntaxException {
        Path classes = placeOf(CircuitBreaker.class);
        return String.join(
                File.pathSeparator,
                classes.toString(),
                classes.resolveSibling("test-classes").toString(),
                placeOf(FullHeap.class).toString());
    }

    private static Path placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
