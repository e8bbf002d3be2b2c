package io.tidegate.evidence;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets Maven run the tests that name a rule, each module in its own way, with the filter and the recorder on the class
 * path.
 */
final class TestRun {
    private static final Pattern MODULE = Pattern.compile("\\[INFO] Building (.*\\S) \\S+ +(\\[\\d+/\\d+])");
    private static final int LOOK_MILLIS = 500;

    private final Path classes;
    private final Path folder;
    private final Path log;
    private final ProgressLine progress;

    /**
     * Prepares a run.
     *
     * @param classes the folder with this program's own classes, without its libraries
     * @param folder where the recorders write, empty
     * @param log where Maven writes
     */
    TestRun(Path classes, Path folder, Path log, ProgressLine progress) {
        this.classes = classes;
        this.folder = folder;
        this.log = log;
        this.progress = progress;
    }

    /** Returns whether Maven came to its end, with or without failed tests. */
    boolean run(Collection<String> modules, Collection<String> families) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command(modules, families))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process maven = builder.start();
        maven.getOutputStream().close();
        Thread stop = new Thread(() -> destroy(maven));
        Runtime.getRuntime().addShutdownHook(stop);
        while (!maven.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            progress.show(state());
        }
        Runtime.getRuntime().removeShutdownHook(stop);
        progress.end(state());
        return maven.exitValue() == 0;
    }

    private List<String> command(Collection<String> modules, Collection<String> families) {
        return List.of(
                "mvn",
                "-B",
                "-ntp",
                "-pl",
                String.join(",", modules),
                "-am",
                "test",
                "-Dmaven.test.failure.ignore=true", // runs the tests of the other modules, too
                "-DfailIfNoTests=false", // other modules are built that may have no test with a rule
                "-Dspotless.check.skip",
                "-Djacoco.skip",
                "-Dmaven.test.additionalClasspath=" + classes,
                "-D" + NamedTests.FAMILIES + "=" + String.join(",", families),
                "-D" + TestRecorder.FOLDER + "=" + folder);
    }

    private static void destroy(Process maven) {
        maven.descendants().forEach(ProcessHandle::destroy);
        maven.destroy();
    }

    private String state() throws IOException {
        int ended = 0;
        int failed = 0;
        for (Path file : TestResults.files(folder)) {
            for (String line : linesOf(file)) {
                ended += line.startsWith(TestLine.What.ENDED.name()) ? 1 : 0;
                failed += line.startsWith(TestLine.What.FAILED.name()) ? 1 : 0;
            }
        }
        return "testing: " + module() + ", " + ended + " tests" + (failed == 0 ? "" : ", " + failed + " FAILED");
    }

    private String module() throws IOException {
        String module = "starting Maven";
        for (String line : linesOf(log)) {
            Matcher building = MODULE.matcher(line);
            if (building.matches()) {
                module = building.group(1) + " " + building.group(2);
            }
        }
        return module;
    }

    /*
     * Returns the lines of a file. Never fails, whatever tests print, even if the last character is not complete yet.
     */
    private static List<String> linesOf(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.ISO_8859_1);
    }
}
