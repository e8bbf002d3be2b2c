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
 * Breakers with one atomic for the state, one for the time of opening and one for the number of probes: what becomes of a
 * design that changes them one after the other. Each gap between two steps is as wide as a pause of the processor, so that
 * a tool finds it in seconds on a busy machine too.
 */
public enum SeedBreaker implements BreakerFactory {
    /** Step by step as designed: the call that moves to half-open holds no slot, and the time is written after the state. */
    LITERAL,

    /** The call that moves to half-open goes on to take a slot; the time is still written after the state. */
    FIRST_PROBE_TAKES_SLOT,

    /** The time is written before the state; the call that moves to half-open holds no slot. */
    TIME_BEFORE_STATE,

    /** Both of these: what is left are the slots, which a probe of an earlier period gives back in a later one. */
    BOTH;

    @Override
    public CircuitBreaker create(int maxRequests, LongSupplier ticker, StateChangeListener listener) {
        return new Port(this, maxRequests, ticker, listener);
    }

    private static final class Port implements CircuitBreaker {
        /** Stamps: what a call has to undo when it ends. */
        private static final long NO_SLOT = 1;

        private static final long SLOT = 2;
        private static final long REFUSED = -1;

        private final SeedBreaker variant;
        private final int maxRequests;
        private final LongSupplier ticker;
        private final StateChangeListener listener;
        private final AtomicReference<State> state = new AtomicReference<>(State.CLOSED);
        private final AtomicLong openedAt = new AtomicLong();
        private final AtomicInteger halfOpenRequests = new AtomicInteger();
        private final AtomicIntegerArray counts = new AtomicIntegerArray(5);

        Port(SeedBreaker variant, int maxRequests, LongSupplier ticker, StateChangeListener listener) {
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
                    boolean slot = variant == FIRST_PROBE_TAKES_SLOT || variant == BOTH;
                    return slot ? tryTakeSlot() : NO_SLOT;
                }
                case HALF_OPEN -> {
                    return tryTakeSlot();
                }
                default -> {
                    return NO_SLOT;
                }
            }
        }

        private long tryTakeSlot() {
            if (halfOpenRequests.incrementAndGet() > maxRequests) {
                halfOpenRequests.decrementAndGet();
                return REFUSED;
            }
            return SLOT;
        }

        @Override
        public void onSuccess(long stamp) {
            change(State.HALF_OPEN, State.CLOSED);
            onIgnored(stamp);
        }

        @Override
        public void onFailure(long stamp, Throwable error) {
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

        private void open(State from) {
            if (state.get() == from && (variant == TIME_BEFORE_STATE || variant == BOTH)) {
                openedAt.set(ticker.getAsLong());
            }
            if (state.compareAndSet(from, State.OPEN)) {
                clearCounts();
                openedAt.set(ticker.getAsLong());
                listener.onStateChange(name(), from, State.OPEN);
            }
        }

        private void change(State from, State to) {
            if (state.compareAndSet(from, to)) {
                clearCounts();
                listener.onStateChange(name(), from, to);
            }
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
        public <T> T execute(Callable<? extends T> call) {
            throw notNeeded();
        }

        @Override
        public <T> CompletionStage<T> executeAsync(Supplier<? extends CompletionStage<T>> operation) {
            throw notNeeded();
        }

        @Override
        public Counts counts() {
            throw notNeeded();
        }

        @Override
        public BreakerMetrics metrics() {
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
