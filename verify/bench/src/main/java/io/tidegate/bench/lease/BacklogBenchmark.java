package io.tidegate.bench.lease;

import io.tidegate.lease.WorkLease;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Enqueues an offset. The backlog grows to a million offsets and then starts anew. */
@State(Scope.Thread)
public abstract class BacklogBenchmark {
    static final int OFFSETS = 1_000_000;

    private int next = OFFSETS;

    abstract void begin();

    abstract void enqueue(long offset);

    /** Returns how many offsets wait. */
    abstract int waiting();

    @Benchmark
    public void enqueue() {
        if (next == OFFSETS) {
            begin();
            next = 0;
        }
        enqueue(++next);
    }

    /** Does not check whether the offset waits already. */
    public static class GrowingArray extends BacklogBenchmark {
        private long[] offsets = {};
        private int size;

        @Override
        void begin() {
            offsets = new long[4];
            size = 0;
        }

        @Override
        synchronized void enqueue(long offset) {
            if (size == offsets.length) {
                offsets = Arrays.copyOf(offsets, 2 * size);
            }
            offsets[size++] = offset;
        }

        @Override
        int waiting() {
            return size;
        }
    }

    /** See {@link HashSetDomain}. */
    public static class HashSets extends BacklogBenchmark {
        private HashSetDomain domain = new HashSetDomain();

        @Override
        void begin() {
            domain = new HashSetDomain();
            domain.tryAcquire(0);
        }

        @Override
        void enqueue(long offset) {
            domain.tryAcquire(offset);
        }

        @Override
        int waiting() {
            return domain.waiting();
        }
    }

    public static class Tidegate extends BacklogBenchmark {
        private WorkLease leases = WorkLease.inMemory(0);

        @Override
        void begin() {
            leases = WorkLease.inMemory(0);
            leases.tryAcquire(CycleBenchmark.DOMAIN, 0);
        }

        @Override
        void enqueue(long offset) {
            leases.tryAcquire(CycleBenchmark.DOMAIN, offset);
        }

        @Override
        int waiting() {
            return leases.inspect(CycleBenchmark.DOMAIN).orElseThrow().backlog().size();
        }
    }
}
