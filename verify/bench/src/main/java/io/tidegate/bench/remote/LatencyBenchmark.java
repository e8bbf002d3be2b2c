package io.tidegate.bench.remote;

import io.tidegate.remote.RemoteBulkhead;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The exact 99th percentile of the last 1,024 latencies. */
@State(Scope.Benchmark)
public abstract class LatencyBenchmark {
    static final int WINDOW = 1_024;

    private final long[] latencies =
            new SplittableRandom(1).longs(8 * WINDOW, 0, 1_000).toArray();
    private int next;

    abstract void add(long latencyMs);

    abstract long p99();

    @Setup
    public void fill() {
        for (int i = 0; i < WINDOW; i++) {
            add(latencies[i]);
        }
    }

    @Benchmark
    public long read() {
        return p99();
    }

    @Benchmark
    public long recordAndRead() {
        next = (next + 1) % latencies.length;
        add(latencies[next]);
        return p99();
    }

    /** A ring that is copied and sorted at each read. */
    public static class CopyAndSort extends LatencyBenchmark {
        private final long[] ring = new long[WINDOW];
        private int place;

        @Override
        void add(long latencyMs) {
            ring[place] = latencyMs;
            place = (place + 1) % WINDOW;
        }

        @Override
        long p99() {
            long[] sorted = ring.clone();
            Arrays.sort(sorted);
            return sorted[(99 * WINDOW + 99) / 100 - 1];
        }
    }

    /** Counts of each millisecond, read from the top: exact as long as no latency reaches a second. */
    public static class Buckets extends LatencyBenchmark {
        private final long[] ring = new long[WINDOW];
        private final int[] counts = new int[1_000];
        private int place;
        private int size;

        @Override
        void add(long latencyMs) {
            if (size == WINDOW) {
                counts[(int) ring[place]]--;
            } else {
                size++;
            }
            ring[place] = latencyMs;
            counts[(int) latencyMs]++;
            place = (place + 1) % WINDOW;
        }

        @Override
        long p99() {
            int above = WINDOW / 100 + 1;
            int bucket = counts.length;
            while (above > 0) {
                above -= counts[--bucket];
            }
            return bucket;
        }
    }

    public static class Tidegate extends LatencyBenchmark {
        private final RemoteBulkhead bulkhead = RemoteBulkhead.builder(1).build();

        @Override
        void add(long latencyMs) {
            bulkhead.recordForegroundLatency(latencyMs);
        }

        @Override
        long p99() {
            return bulkhead.p99ForegroundLatencyMs().orElseThrow();
        }
    }
}
