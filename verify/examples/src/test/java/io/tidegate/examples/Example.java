package io.tidegate.examples;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An example as its README shows it: the first block has two commands, to build and to run it from the root folder; the
 * second block is its output.
 */
record Example(String name, List<String> command, List<String> printed) {
    private static final Path ROOT =
            Path.of(requireNonNull(System.getProperty("tidegate.root"))).normalize();
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");
    private static final Pattern BLOCK = Pattern.compile("^```\\w+\\n(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern NUMBER = Pattern.compile(" *\\d+([.,]\\d+)?");
    private static final int LIMIT_MINUTES = 10;

    static Example read(String name) throws IOException {
        Matcher blocks = BLOCK.matcher(
                Files.readString(ROOT.resolve("examples").resolve(name).resolve("README.md")));
        List<List<String>> found = new ArrayList<>();
        while (blocks.find()) {
            found.add(blocks.group(1).lines().toList());
        }
        String run = found.get(0).get(1);
        return new Example(name, List.of(run.split(" ")), found.get(1));
    }

    /** Starts the example by the command of the README, but on the JVM of this test, and with more arguments. */
    Process start(Path output, String... arguments) throws IOException {
        List<String> started = new ArrayList<>(command);
        if (!started.get(0).equals("java")) {
            throw new IllegalStateException("command: " + command + " (expected: java …)");
        }
        started.set(0, JAVA.toString());
        started.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(started)
                .directory(new File(ROOT.toString()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        // Examples and the processes that they start end before the optimising compiler pays off.
        builder.environment().put("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xmx256m");
        return builder.start();
    }

    /** Runs the example to its end, and returns its output. */
    List<String> run(Path folder, String... arguments) throws IOException, InterruptedException {
        Path output = folder.resolve(name + ".out");
        Process process = start(output, arguments);
        try {
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException(name + " did not end well:\n" + Files.readString(output));
            }
        } finally {
            stop(process);
        }
        return Files.readAllLines(output);
    }

    /** Asks the process to end, so that it stops what it has started; after a while, kills it. */
    static void stop(Process process) {
        process.destroy();
        process.onExit().completeOnTimeout(process, 1, TimeUnit.MINUTES).join();
        process.destroyForcibly().onExit().join();
    }

    /** Removes the numbers and indented lines, which differ in each run. */
    static List<String> withoutNumbers(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.startsWith(" "))
                .map(line -> NUMBER.matcher(line).replaceAll(" N"))
                .distinct()
                .toList();
    }
}
