package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A process that runs {@link CapWorkerMain}. */
final class CapProcess implements AutoCloseable {
    private static final String ENDED = "ENDED";

    private final Path errors;
    private final Process process;
    private final OutputStream orders;
    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();

    CapProcess(Path jar, Path folder, Duration clockAhead) throws IOException {
        this.errors = Files.createTempFile(folder, "worker", ".err");
        this.process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-Dio.lettuce.core.jfr=false",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-D" + ShiftedClock.SHIFT_MILLIS + "=" + clockAhead.toMillis(),
                        "-cp",
                        jar.toString(),
                        CapWorkerMain.class.getName())
                .redirectError(errors.toFile())
                .start();
        this.orders = process.getOutputStream();
        Thread.ofVirtual().start(this::listen);
    }

    private void listen() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            lines.lines().forEach(reports::add);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            reports.add(ENDED);
        }
    }

    long pid() {
        return process.pid();
    }

    @SuppressWarnings("EmptyCatch") // a process that has ended is noticed when it should be done
    void send(String line) {
        try {
            orders.write((line + "\n").getBytes(UTF_8));
            orders.flush();
        } catch (IOException ended) {
            // the process has ended
        }
    }

    /** Whether the process reports in time that it is done. */
    boolean isDoneWithin(long millis) throws InterruptedException {
        return CapWorkerMain.DONE.equals(reports.poll(millis, TimeUnit.MILLISECONDS));
    }

    void kill() {
        process.destroyForcibly();
    }

    void signal(String name) throws IOException {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    @Override
    public void close() {
        kill();
        process.onExit().join();
    }
}
