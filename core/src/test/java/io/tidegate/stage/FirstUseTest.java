package io.tidegate.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.breaker.CircuitBreaker;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first use of a class may come where stack or memory is at its end, and a class whose initializer has failed once
 * never works. So everything a part needs is initialized when the part is made.
 */
@Tag("stack-end")
class FirstUseTest {
    private static final long PATIENCE_MINUTES = 10;
    private static final String INITIALIZES_OURS = ".*Initializing 'io/tidegate/(?!stage/FirstUse).*";

    /** How the JVM logs a class without an initializer, which cannot fail. */
    private static final String NO_INITIALIZER = "(no method)";

    /** Runs in a JVM of its own: in that of other tests everything has been used before. */
    @Test
    @DisplayName("CB-23 AB-12 RB-21 what is made needs no class for the first time when it is used")
    void use_first_initializesNoClass(@TempDir Path folder) throws Exception {
        Path out = folder.resolve("out");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+init=info:stdout",
                        "-cp",
                        classPath(),
                        FirstUse.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
        try {
            assertThat(child.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)).isTrue();
        } finally {
            child.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(out);
        assertThat(child.exitValue()).as("%s", lines).isZero();
        int made = lines.indexOf(FirstUse.MADE);
        assertThat(lines.subList(0, made)).anyMatch(line -> line.matches(INITIALIZES_OURS));
        assertThat(lines.subList(made, lines.size()))
                .filteredOn(line -> line.matches(INITIALIZES_OURS) && !line.contains(NO_INITIALIZER))
                .isEmpty();
    }

    /** Builds the class path from where classes were loaded, because a patched module may hide that of the test run. */
    private static String classPath() throws URISyntaxException {
        Path classes = Path.of(CircuitBreaker.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        return classes + File.pathSeparator + classes.resolveSibling("test-classes");
    }
}
