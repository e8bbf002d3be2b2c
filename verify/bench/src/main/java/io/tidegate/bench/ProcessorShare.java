package io.tidegate.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/** Tells what part of an iteration its threads were running: on a shared machine others take their turns. */
public final class ProcessorShare implements InternalProfiler {
    static final String LABEL = "processor.share";

    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long startTime;
    private long startCpuTime;

    @Override
    public String getDescription() {
        return "part of the time that the benchmark's threads were running";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        startTime = System.nanoTime();
        startCpuTime = process.getProcessCpuTime();
    }

    @Override
    public Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double running = process.getProcessCpuTime() - startCpuTime;
        double time = System.nanoTime() - startTime;
        int atMost = Math.min(benchmark.getThreads(), process.getAvailableProcessors());
        return List.of(new ScalarResult(LABEL, running / time / atMost, "", AggregationPolicy.AVG));
    }
}
