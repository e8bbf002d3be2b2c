package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looks for pinned carriers in a JVM of its own, since the scheduler's size is set when a JVM starts. */
class PinningTest {
    private static final Path JDK = Jvm.JDK;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Timeout(600)
    @DisplayName("GX-20 under load, with one carrier thread and with two, no library frame pins a carrier")
    void load_onFewCarriers_libraryPinsNone(int carriers) throws Exception {
        Path recording = folder.resolve("pinned.jfr");
        Jvm.run(
                folder,
                JDK.resolve("java").toString(),
                "-Xmx512m",
                "-Djdk.virtualThreadScheduler.parallelism=" + carriers,
                "-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers,
                "-XX:StartFlightRecording:settings=none,+jdk.VirtualThreadPinned#enabled=true,"
                        + "+jdk.VirtualThreadPinned#threshold=0ns,+jdk.VirtualThreadPinned#stackTrace=true,filename="
                        + recording,
                "-cp",
                Jvm.classPath(),
                PinningLoad.class.getName());
        String printed = Jvm.run(
                folder,
                JDK.resolve("jfr").toString(),
                "print",
                "--events",
                "jdk.VirtualThreadPinned",
                "--stack-depth",
                "64",
                recording.toString());

        List<String> culprits = firstFramesOutsideTheJdk(printed);

        assertThat(culprits)
                .as("the pin made on purpose, in user code above library code")
                .anyMatch(frame -> frame.startsWith(PinningLoad.class.getName()));
        assertThat(culprits).allMatch(frame -> frame.startsWith("io.tidegate.group.contract."));
    }

    /**
     * For each event, the topmost frame that is not the JDK's: who blocked while pinned. Making classes of the JDK
     * ready does not count, when they are used for the first time: linking, waiting for another thread to initialise
     * one, or for the monitor of that; the library has no monitors.
     */
    private static List<String> firstFramesOutsideTheJdk(String printed) {
        List<String> frames = new ArrayList<>();
        boolean looking = false;
        boolean classes = false;
        for (String line : printed.lines().map(String::strip).toList()) {
            if (line.startsWith("jdk.VirtualThreadPinned {")) {
                classes = false;
            } else if (line.matches("pinnedReason = \"Waited for initialization of java\\..*"
                    + "|blockingOperation = \"Contended monitor enter\"")) {
                classes = true;
            } else if (line.startsWith("stackTrace = [")) {
                looking = !classes;
            } else if (line.matches("java\\.lang\\.(invoke\\.|ClassLoader).*")) {
                looking = false;
            } else if (looking && line.contains(" line: ") && !line.matches("(java|jdk|sun)\\..*")) {
                frames.add(line);
                looking = false;
            }
        }
        return frames;
    }

    @Test
    @DisplayName(
            "GX-20 the library has no synchronized method and no synchronized block, which pin a carrier before JDK 24")
    void library_hasNoMonitor() throws Exception {
        Path root = Jvm.rootOf(GroupExecutor.class);
        List<String> arguments = new ArrayList<>(List.of("-p", "-c"));
        try (Stream<Path> files = Files.walk(root.resolve("io/tidegate/group"))) {
            files.filter(file -> file.toString().endsWith(".class"))
                    .map(Path::toString)
                    .forEach(arguments::add);
        }
        StringWriter code = new StringWriter();

        int exit = ToolProvider.findFirst("javap")
                .orElseThrow()
                .run(new PrintWriter(code), new PrintWriter(code), arguments.toArray(String[]::new));

        assertThat(exit).isZero();
        assertThat(code.toString()).contains("GroupExecutor").doesNotContain("monitorenter", " synchronized ");
    }
}
