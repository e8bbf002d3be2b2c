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

/**
 * Measures in which share of an iteration its threads were running, since a shared machine also runs other programs,
 * and how much processor time the process took for an operation.
 */
public final class ProcessorShare implements InternalProfiler {
    static final String SHARE = "processor.share";
    static final String NANOS = "processor.nanos";

    private final OperatingSystemMXBean process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private long startTime;
    private long startCpuTime;

    @Override
    public String getDescription() {
        return "how much of the processors the benchmark had";
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
        long operations = Math.max(1, result.getMetadata().getAllOps());
        return List.of(
                new ScalarResult(SHARE, running / time / atMost, "", AggregationPolicy.AVG),
                new ScalarResult(NANOS, running / operations, "ns/op", AggregationPolicy.AVG));
    }
}
