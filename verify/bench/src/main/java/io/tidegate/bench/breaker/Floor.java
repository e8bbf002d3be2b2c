package io.tidegate.bench.breaker;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;

/** The least that can tell whether a call may run and count that it did. */
public abstract class Floor extends CallBenchmark {
    private static final long OPEN_NANOS = Duration.ofSeconds(OPEN_SECONDS).toNanos();

    final LongAdder calls = new LongAdder();
    volatile boolean closed;
    volatile long openSince;

    @Override
    void build(Window counted) {
        closed = true;
    }

    @Override
    Object fail() {
        return succeed();
    }

    public static class ReadAndAdd extends Floor {
        @Override
        Object succeed() {
            boolean admitted = closed;
            calls.increment();
            return admitted;
        }
    }

    public static class ReadAddAndClock extends Floor {
        @Override
        Object succeed() {
            boolean admitted = closed;
            calls.increment();
            return admitted && System.nanoTime() != 0;
        }
    }

    public static class ReadAddAndTwoClocks extends Floor {
        @Override
        Object succeed() {
            boolean admitted = closed;
            long start = System.nanoTime();
            calls.increment();
            return admitted && System.nanoTime() - start < OPEN_NANOS;
        }
    }

    /** Whether the time of an open breaker, or of its probe, is over. */
    public static class ReadAndClock extends Floor {
        @Override
        void build(Window counted) {
            openSince = System.nanoTime();
        }

        @Override
        void holdProbe() {}

        @Override
        Object succeed() {
            return System.nanoTime() - openSince > OPEN_NANOS;
        }
    }
}
