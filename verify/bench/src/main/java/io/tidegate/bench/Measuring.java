package io.tidegate.bench;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs JMH on all cases of a part, with a line of progress for each. */
final class Measuring {
    /** A young generation that is mapped in advance and rarely collected keeps the collector out of the times. */
    static final List<String> JVM_ARGS =
            List.of("-Xms256m", "-Xmx256m", "-Xmn128m", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC");

    private static final String BYTES = "gc.alloc.rate.norm";
    private static final double UNDISTURBED_SHARE = 0.95;

    private final Effort effort;
    private final PrintStream progress;
    private final PrintStream log;

    Measuring(Effort effort, PrintStream progress, PrintStream log) {
        this.effort = effort;
        this.progress = progress;
        this.log = log;
    }

    Map<Case, Measurement> measure(Part part) throws BenchmarkFailed {
        Map<Case, List<Measurement>> iterations = new HashMap<>();
        List<Case> cases = part.cases();
        int total = cases.size() * effort.rounds;
        long start = System.nanoTime();
        for (int done = 1; done <= total; done++) {
            Case next = cases.get((done - 1) % cases.size());
            List<Measurement> measured = measure(next);
            iterations.computeIfAbsent(next, any -> new ArrayList<>()).addAll(measured);
            report(done, total, Duration.ofNanos(System.nanoTime() - start), next, Measurement.median(measured));
        }
        return iterations.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Measurement.median(entry.getValue())));
    }

    private List<Measurement> measure(Case next) throws BenchmarkFailed {
        OutputFormat format = OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL);
        List<Measurement> measured = new ArrayList<>();
        try {
            for (RunResult result : new Runner(options(next), format).run()) {
                for (BenchmarkResult jvm : result.getBenchmarkResults()) {
                    jvm.getIterationResults().forEach(iteration -> measured.add(measurement(iteration)));
                }
            }
        } catch (RunnerException e) {
            throw new BenchmarkFailed(next, String.valueOf(e.getMessage()));
        }
        if (measured.isEmpty()) {
            throw new BenchmarkFailed(next, "no result");
        }
        return measured;
    }

    private Options options(Case next) {
        ChainedOptionsBuilder options = new OptionsBuilder();
        next.contestant().params().forEach(options::param);
        return options.include("^" + Pattern.quote(next.benchmark()) + "$")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .threads(next.threads())
                .forks(1)
                .warmupIterations(effort.warmups)
                .warmupTime(Effort.ITERATION)
                .measurementIterations(effort.iterations)
                .measurementTime(Effort.ITERATION)
                .addProfiler(GCProfiler.class)
                .addProfiler(ProcessorShare.class)
                .jvmArgs(JVM_ARGS.toArray(String[]::new))
                .shouldFailOnError(true)
                .build();
    }

    private static Measurement measurement(IterationResult iteration) {
        boolean disturbed = score(iteration, ProcessorShare.SHARE) < UNDISTURBED_SHARE;
        return new Measurement(
                iteration.getPrimaryResult().getScore(),
                score(iteration, BYTES),
                score(iteration, ProcessorShare.NANOS),
                disturbed);
    }

    private static double score(IterationResult iteration, String label) {
        return Objects.requireNonNull(iteration.getSecondaryResults().get(label), label)
                .getScore();
    }

    private void report(int done, int total, Duration elapsed, Case last, Measurement cost) {
        progress.printf(
                "[%3d/%d  %s, %s left]  %s  %s ns, %s B%n",
                done,
                total,
                clock(elapsed),
                clock(elapsed.multipliedBy(total - done).dividedBy(done)),
                last,
                cost.showNanos(),
                cost.showBytes());
    }

    private static String clock(Duration duration) {
        return "%d:%02d".formatted(duration.toMinutes(), duration.toSecondsPart());
    }
}
