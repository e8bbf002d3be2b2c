package io.tidegate.bench;

import io.tidegate.bench.breaker.BreakerPart;
import io.tidegate.bench.bulkhead.BulkheadPart;
import io.tidegate.bench.engines.CapPart;
import io.tidegate.bench.engines.EnginesPart;
import io.tidegate.bench.groups.GroupsPart;
import io.tidegate.bench.guard.GuardPart;
import io.tidegate.bench.lease.LeasePart;
import io.tidegate.bench.rate.RatePart;
import io.tidegate.bench.remote.RemotePart;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/**
 * The command {@code ./tidegate bench}, run in the root folder: measures one part or all parts, and prints the results.
 */
public final class Bench {
    /** All parts that the bench measures. */
    static final List<Part> PARTS = List.of(
            BulkheadPart.PART,
            BreakerPart.PART,
            GuardPart.PART,
            RemotePart.PART,
            RatePart.PART,
            GroupsPart.PART,
            LeasePart.PART,
            EnginesPart.PART,
            CapPart.PART);

    private static final Path PAGE = Path.of("docs", "benchmarks.md");
    private static final Path LOGS = Path.of("target");

    private Bench() {}

    /** Exits with 0 when all was measured, 1 when a benchmark failed, and 2 when the request was not understood. */
    public static void main(String[] args) throws IOException {
        // The table has characters that the default encoding of a bare shell does not have.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        System.exit(run(args));
    }

    static int run(String... args) throws IOException {
        Request request;
        try {
            request = Request.parse(PARTS, List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n" + Request.usage(PARTS));
            return 2;
        }
        for (Part part : request.parts()) {
            Path log = Files.createDirectories(LOGS).resolve("bench-" + part.name() + ".log");
            try {
                report(request, part, log);
            } catch (BenchmarkFailed e) {
                System.err.println(e.getMessage() + ", see " + log);
                return 1;
            }
        }
        return 0;
    }

    private static void report(Request request, Part part, Path log) throws IOException, BenchmarkFailed {
        System.out.println(
                "Measuring: " + part.title() + "." + (part.hasRows() ? " What JMH says is in " + log + "." : ""));
        Map<Case, Measurement> measured;
        try (PrintStream jmh = new PrintStream(Files.newOutputStream(log), true, StandardCharsets.UTF_8)) {
            measured = new Measuring(request.effort(), System.out, jmh).measure(part);
        }
        String section = section(request, part, new Report(part, measured)) + experiments(request, part);
        System.out.println("\n" + section);
        if (request.write()) {
            new BenchmarksPage(PAGE).write(part, section);
            System.out.println("Written to " + PAGE + ".");
        }
    }

    private static String experiments(Request request, Part part) {
        StringBuilder sections = new StringBuilder();
        for (Experiment experiment : part.experiments()) {
            System.out.println("Trying: " + experiment.title() + ".");
            String found = experiment.run(request.effort() == Effort.QUICK);
            sections.append("\n### ").append(experiment.title()).append("\n\n").append(found);
        }
        return sections.toString();
    }

    private static String section(Request request, Part part, Report report) {
        return """
                ## %s

                - Command: `%s`, %s
                - Machine: %s
                - JDK: %s
                - Versions: %s
                %s
                %s""".formatted(
                        part.title(),
                        request.command(part),
                        LocalDate.now(ZoneOffset.UTC),
                        Surroundings.machine(),
                        Surroundings.jdk() + (part.hasRows() ? ", `" + String.join(" ", Measuring.JVM_ARGS) + "`" : ""),
                        Surroundings.versions(part),
                        part.hasRows() ? "- Effort: " + request.effort().describe() + "\n" : "",
                        report);
    }
}
