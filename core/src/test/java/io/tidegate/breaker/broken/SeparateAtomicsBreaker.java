package io.tidegate.breaker.broken;

import io.tidegate.breaker.BreakerMetrics;
import io.tidegate.breaker.CircuitBreaker;
import io.tidegate.breaker.Counts;
import io.tidegate.breaker.Diagnostics;
import io.tidegate.breaker.SettingsUpdate;
import io.tidegate.breaker.State;
import io.tidegate.breaker.StateChangeListener;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Breakers with one atomic for the state, one for the time of opening and one for the number of probes, which change
 * one after the other. Each gap between two steps is as wide as a pause of the processor, so that a tool finds the gap
 * in seconds, on a busy machine too.
 */
public enum SeparateAtomicsBreaker implements BreakerFactory {
    /**
     * The call that moves to half-open holds no slot, and the time is written after the state.
     */
    BOTH_FAULTS,

    /** The call that moves to half-open goes on to take a slot; the time is still written after the state. */
    FIRST_PROBE_TAKES_SLOT,

    /** The time is written before the state; the call that moves to half-open holds no slot. */
    TIME_BEFORE_STATE,

    /** With neither of these two faults: a probe of an earlier period still gives its slot back in a later one. */
    NEITHER_FAULT,

    /** As the one above, but the state is read in one step and set in another: two callers make the same change. */
    CHECK_THEN_SET;

    @Override
    public CircuitBreaker create(int maxRequests, LongSupplier ticker, StateChangeListener listener) {
        return new Variant(this, maxRequests, ticker, listener);
    }

    private static final class Variant implements CircuitBreaker {
        /** Stamps: they say what a call must undo when it ends. */
        private static final long NO_SLOT = 1;

        private static final long SLOT = 2;
        private static final long REFUSED = -1;

        /** Indexes of the counts. */
        private static final int REQUESTS = 0;

        private static final int SUCCESSES = 1;
        private static final int FAILURES = 2;
        private static final int SUCCESSES_IN_ROW = 3;
        private static final int FAILURES_IN_ROW = 4;

        private final SeparateAtomicsBreaker variant;
        private final int maxRequests;
        private final LongSupplier ticker;
        private final StateChangeListener listener;
        private final AtomicReference<State> state = new AtomicReference<>(State.CLOSED);
        private final AtomicLong openedAt = new AtomicLong();
        private final AtomicInteger halfOpenRequests = new AtomicInteger();
        private final AtomicLong generation = new AtomicLong();
        private final AtomicIntegerArray counts = new AtomicIntegerArray(5);

        Variant(SeparateAtomicsBreaker variant, int maxRequests, LongSupplier ticker, StateChangeListener listener) {
            this.variant = variant;
            this.maxRequests = maxRequests;
            this.ticker = ticker;
            this.listener = listener;
        }

        @Override
        public long tryAcquire() {
            switch (state.get()) {
                case OPEN -> {
                    if (ticker.getAsLong() - openedAt.get() < TIMEOUT.toNanos()) {
                        return REFUSED;
                    }
                    Thread.onSpinWait();
                    change(State.OPEN, State.HALF_OPEN);
                    boolean slot = variant != BOTH_FAULTS && variant != TIME_BEFORE_STATE;
                    return slot ? tryTakeSlot() : admit(NO_SLOT);
                }
                case HALF_OPEN -> {
                    return tryTakeSlot();
                }
                default -> {
                    return admit(NO_SLOT);
                }
            }
        }

        private long admit(long stamp) {
            counts.incrementAndGet(REQUESTS);
            return stamp;
        }

        private long tryTakeSlot() {
            if (halfOpenRequests.incrementAndGet() > maxRequests) {
                halfOpenRequests.decrementAndGet();
                return REFUSED;
            }
            return admit(SLOT);
        }

        @Override
        public void onSuccess(long stamp) {
            count(SUCCESSES, SUCCESSES_IN_ROW, FAILURES_IN_ROW);
            change(State.HALF_OPEN, State.CLOSED);
            onIgnored(stamp);
        }

        @Override
        public void onFailure(long stamp, Throwable error) {
            count(FAILURES, FAILURES_IN_ROW, SUCCESSES_IN_ROW);
            open(State.HALF_OPEN);
            open(State.CLOSED);
            onIgnored(stamp);
        }

        @Override
        public void onIgnored(long stamp) {
            if (stamp == SLOT) {
                halfOpenRequests.decrementAndGet();
            }
        }

        private void count(int total, int row, int endedRow) {
            counts.incrementAndGet(total);
            counts.incrementAndGet(row);
            counts.set(endedRow, 0);
        }

        private void open(State from) {
            if (state.get() == from && variant != BOTH_FAULTS && variant != FIRST_PROBE_TAKES_SLOT) {
                openedAt.set(ticker.getAsLong());
            }
            if (set(from, State.OPEN)) {
                clearCounts();
                openedAt.set(ticker.getAsLong());
                listener.onStateChange(name(), from, State.OPEN);
            }
        }

        private void change(State from, State to) {
            if (set(from, to)) {
                clearCounts();
                listener.onStateChange(name(), from, to);
            }
        }

        private boolean set(State from, State to) {
            if (variant == CHECK_THEN_SET && state.get() == from) {
                Thread.onSpinWait();
                state.set(to);
            } else if (!state.compareAndSet(from, to)) {
                return false;
            }
            generation.incrementAndGet();
            return true;
        }

        private void clearCounts() {
            for (int i = 0; i < counts.length(); i++) {
                counts.set(i, 0);
                Thread.onSpinWait();
            }
        }

        @Override
        public String name() {
            return variant.name();
        }

        @Override
        public State state() {
            return state.get();
        }

        @Override
        public Counts counts() {
            return new Counts(
                    counts.get(REQUESTS),
                    counts.get(SUCCESSES),
                    counts.get(FAILURES),
                    counts.get(SUCCESSES_IN_ROW),
                    counts.get(FAILURES_IN_ROW));
        }

        @Override
        public BreakerMetrics metrics() {
            return new BreakerMetrics(state(), generation.get(), counts(), 0, 0, 0, 0, 0, 0, 0, 0, 0);
        }

        @Override
        public <T> T execute(Callable<? extends T> call) {
            throw notNeeded();
        }

        @Override
        public <T> CompletionStage<T> executeAsync(Supplier<? extends CompletionStage<T>> operation) {
            throw notNeeded();
        }

        @Override
        public Diagnostics diagnostics() {
            throw notNeeded();
        }

        @Override
        public void update(Consumer<SettingsUpdate> change) {
            throw notNeeded();
        }

        @Override
        public void forceOpen() {
            throw notNeeded();
        }

        @Override
        public void disable() {
            throw notNeeded();
        }

        @Override
        public void reset() {
            throw notNeeded();
        }

        private static UnsupportedOperationException notNeeded() {
            return new UnsupportedOperationException("not needed to show the fault");
        }
    }
}
