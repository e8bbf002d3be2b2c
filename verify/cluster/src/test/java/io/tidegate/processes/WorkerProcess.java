package io.tidegate.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A worker in a separate process. */
final class WorkerProcess implements AutoCloseable {
    /** How far the clock of each slot is ahead; the first one's is right. */
    private static final List<Duration> SHIFTS = List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofHours(-1));

    private static final List<String> TIME_ZONES = List.of("UTC", "Asia/Kathmandu", "America/Caracas");

    private static final Pattern REPORT = Pattern.compile("(READY|DONE) (-?\\d+)");

    /** The exit code of a killed process. */
    static final int KILLED_EXIT = 128 + 9;

    /** A report of a process, or its end. */
    record Event(WorkerProcess process, Kind kind) {
        enum Kind {
            READY,
            DONE,
            ENDED
        }
    }

    private final int slot;
    private final Path errors;
    private final Process process;
    private final OutputStream orders;

    /**
     * Starts the process.
     *
     * @param jar its class path
     */
    WorkerProcess(int slot, Path jar, Path folder, Consumer<Event> events) throws IOException {
        this.slot = slot;
        this.errors = Files.createTempFile(folder, "worker" + slot + "-", ".err");
        Duration shift = SHIFTS.get(slot % SHIFTS.size());
        this.process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:disable",
                        "-Xmx64m",
                        "-Dio.lettuce.core.jfr=false",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Duser.timezone=" + TIME_ZONES.get(slot % TIME_ZONES.size()),
                        "-D" + ShiftedClock.SHIFT_MILLIS + "=" + shift.toMillis(),
                        "-cp",
                        jar.toString(),
                        WorkerMain.class.getName())
                .redirectError(errors.toFile())
                .start();
        this.orders = process.getOutputStream();
        Thread.ofVirtual().start(() -> listen(events));
    }

    /** Returns the name of an owner in this slot. */
    static String owner(int slot, String more) {
        return "worker" + slot + "-" + more;
    }

    static int slot(String owner) {
        return owner.charAt(owner(0, "").indexOf('0')) - '0';
    }

    int slot() {
        return slot;
    }

    long pid() {
        return process.pid();
    }

    private void listen(Consumer<Event> events) {
        long started = System.nanoTime();
        try (BufferedReader reported = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = reported.readLine(); line != null; line = reported.readLine()) {
                Matcher words = REPORT.matcher(line);
                if (!words.matches()) {
                    System.out.println("worker " + pid() + ": " + line); // output of the JVM itself, or of a library
                    continue;
                }
                requireSameClock(started, Long.parseLong(words.group(2)));
                events.accept(new Event(this, Event.Kind.valueOf(words.group(1))));
            }
            process.waitFor();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        } finally {
            events.accept(new Event(this, Event.Kind.ENDED));
        }
    }

    /** The two processes must have the same monotonic clock, because the history is ordered by it. */
    private static void requireSameClock(long started, long reported) {
        if (reported - started < 0 || System.nanoTime() - reported < 0) {
            throw new IllegalStateException(
                    "System.nanoTime differs between processes (expected: one monotonic clock)");
        }
    }

    void order(Order order) {
        send(order.text());
    }

    /** Sends the time at which the run of its order began. */
    void begin(long startNanos) {
        send(Long.toString(startNanos));
    }

    @SuppressWarnings("EmptyCatch") // an event reports the end of the process
    private void send(String line) {
        try {
            orders.write((line + "\n").getBytes(UTF_8));
            orders.flush();
        } catch (IOException ended) {
            // the process has ended
        }
    }

    /** Kills the process; returns whether that ended it. */
    boolean kill() {
        process.destroyForcibly();
        process.onExit().join();
        return process.exitValue() == KILLED_EXIT;
    }

    void signal(String name) throws IOException {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
        } catch (InterruptedException interrupted) {
            throw new IOException(interrupted);
        }
    }

    /** Whether the process stands still, as the operating system reports it. */
    boolean isStopped() throws IOException {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
        } catch (NoSuchFileException gone) {
            return false;
        }
    }

    /** Returns the exit code; null while the process runs. */
    Integer exit() {
        return process.isAlive() ? null : process.exitValue();
    }

    String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException unreadable) {
            return unreadable.toString();
        }
    }

    @Override
    public void close() throws IOException {
        kill();
        Files.deleteIfExists(errors);
    }
}
