package io.tidegate.bench.breaker;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;

/** The least work that decides whether a call may run, and counts it. */
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

    /** Reads whether the time of an open breaker, or of its probe, is over. */
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

    /** The least possible state change: puts a new state with a time in the place of the old one. */
    public static class CompareAndSet extends Floor {
        private record Period(boolean open, long generation, long since) {}

        private static final AtomicReferenceFieldUpdater<CompareAndSet, Period> PERIOD =
                AtomicReferenceFieldUpdater.newUpdater(CompareAndSet.class, Period.class, "period");

        private volatile Period period = new Period(false, 0, 0);

        @Override
        void openByHand() {
            change(true);
        }

        @Override
        void closeByHand() {
            change(false);
        }

        private void change(boolean open) {
            Period from = period;
            boolean unused =
                    PERIOD.compareAndSet(this, from, new Period(open, from.generation() + 1, System.nanoTime()));
        }

        @Override
        Object succeed() {
            return !period.open();
        }
    }
}
