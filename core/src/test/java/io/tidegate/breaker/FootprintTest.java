package io.tidegate.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jol.info.GraphLayout;

/** How much memory a breaker takes, by the layout of its objects, in JVMs with few processors and with many. */
class FootprintTest {
    private static final int FEW = 2;
    private static final int MANY = 32;
    private static final long PATIENCE_MINUTES = 10;
    private static final String PREFIX = "weighed ";

    @TempDir
    Path folder = Path.of("");

    private Map<String, Long> weighed(int processors) throws Exception {
        Path out = folder.resolve(processors + ".out");
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:ActiveProcessorCount=" + processors,
                        "-cp",
                        classPath(),
                        Weighing.class.getName())
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
        Map<String, Long> weighed = new TreeMap<>();
        for (String line : lines) {
            if (line.startsWith(PREFIX)) {
                int colon = line.indexOf(": ");
                weighed.put(line.substring(PREFIX.length(), colon), Long.valueOf(line.substring(colon + 2)));
            }
        }
        return weighed;
    }

    /** Builds the class path from where classes were loaded, because a patched module may hide that of the test run. */
    private static String classPath() throws URISyntaxException {
        Path classes = placeOf(CircuitBreaker.class);
        return String.join(
                File.pathSeparator,
                classes.toString(),
                classes.resolveSibling("test-classes").toString(),
                placeOf(GraphLayout.class).toString(),
                placeOf(org.assertj.core.api.Assertions.class).toString());
    }

    private static Path placeOf(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    @Test
    @DisplayName(
            "CB-25 at rest a breaker is under 1 KB, one with a window by time under 4 KB, on 2 processors and on 32;"
                    + " a failure adds up as many rows on 32 as on 2: one, or as many as threads have met")
    void breaker_anyNumberOfProcessors_isLightAndAddsUpTheSame() throws Exception {
        Map<String, Long> few = weighed(FEW);
        Map<String, Long> many = weighed(MANY);

        assertThat(few.remove("limit")).isEqualTo(4 * FEW);
        assertThat(many.remove("limit")).isEqualTo(64);
        assertThat(many).isEqualTo(few);
        for (WindowKind window : WindowKind.values()) {
            long limit = window == WindowKind.LAST_SPAN ? 4_096 : 1_024;
            long ring = window == WindowKind.LAST_CALLS ? 256 : 0; // 100 calls, and the line of their number
            assertThat(many.get(window + " new")).as("%s", window).isLessThan(limit + ring);
            assertThat(many.get(window + " used")).isEqualTo(many.get(window + " new"));
            assertThat(many.get(window + " rows")).isEqualTo(1);
            assertThat(many.get(window + " rows, threads met")).isEqualTo(3);
        }
    }
}
