package io.tidegate.jcstress;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/** A run of the jar in a separate JVM, which starts others. All of its files stay in one folder of the build. */
record JcstressRun(Path folder) {
    static JcstressRun in(String name) throws IOException {
        return new JcstressRun(Files.createDirectories(Path.of(property("jcstress.results"), name)));
    }

    static String property(String name) {
        return requireNonNull(System.getProperty(name), name);
    }

    /** Returns the results of all JVMs. */
    Collection<TestResult> of(Collection<String> races, String effort)
            throws IOException, InterruptedException, ClassNotFoundException {
        for (Path old : blobs()) {
            Files.delete(old);
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(property("java.home"), "bin", "java").toString(),
                "-jar",
                property("jcstress.jar"),
                "-t",
                String.join("|", races)));
        command.addAll(List.of(effort.split(" ")));
        await(command);
        assertThat(blobs()).hasSize(1);
        return read(blobs().get(0));
    }

    /** The exit code says only whether all races passed; the results say which ones did not. */
    private void await(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process)));
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(System.out::println);
            process.waitFor();
        } finally {
            stop(process);
        }
    }

    private static void stop(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private List<Path> blobs() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.bin.gz")) {
            List<Path> found = new ArrayList<>();
            files.forEach(found::add);
            return found;
        }
    }

    private static Collection<TestResult> read(Path blob) throws IOException, ClassNotFoundException {
        InProcessCollector results = new InProcessCollector();
        DiskReadCollector file = new DiskReadCollector(blob.toString(), results);
        file.dump();
        file.close();
        return results.getTestResults();
    }
}
