package io.tidegate.group.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidegate.group.GroupExecutor;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Runs programs in JVMs of their own, since the size of the scheduler is set when a JVM starts. */
public final class Jvm {
    static final Path JDK = Path.of(System.getProperty("java.home"), "bin");

    private Jvm() {}

    /** Runs a program to its end, and returns what it printed. */
    static String run(Path folder, String... command) throws IOException, InterruptedException {
        Path output = folder.resolve("output.txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(GroupExecutorContract.PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly();
        }
        String printed = Files.readString(output);
        assertThat(ended).as("end of %s: %s", command[0], printed).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    /** Runs a class with so many carriers of virtual threads, and returns what it printed. */
    public static String runOn(int carriers, Path folder, Class<?> program) throws IOException, InterruptedException {
        return run(
                folder,
                JDK.resolve("java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-Djdk.virtualThreadScheduler.parallelism=" + carriers,
                "-Djdk.virtualThreadScheduler.maxPoolSize=" + carriers,
                "-cp",
                classPath(),
                program.getName());
    }

    static String classPath() {
        return String.join(
                File.pathSeparator,
                rootOf(GroupExecutor.class).toString(),
                rootOf(Jvm.class).toString(),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path", ""));
    }

    /** The folder of classes that a class was loaded from, which may differ from the place that its module names. */
    static Path rootOf(Class<?> type) {
        URL url = type.getResource(type.getSimpleName() + ".class");
        String inside = type.getName().replace('.', '/') + ".class";
        String text = url.toString();
        return Path.of(URI.create(text.substring(0, text.length() - inside.length())));
    }
}
