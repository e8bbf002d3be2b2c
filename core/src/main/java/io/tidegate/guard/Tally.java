package io.tidegate.guard;

import io.tidegate.Refusal;
import io.tidegate.gate.Refusals;
import io.tidegate.stage.Operation;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts what a guard does and tells its listeners. */
final class Tally {
    private final GuardListener[] listeners;
    private final Time time;
    private final Lanes lanes = new Lanes();
    private final LongAdder failures = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder hedges = new LongAdder();

    Tally(GuardBuilder settings) {
        this.listeners = settings.listeners.toArray(GuardListener[]::new);
        this.time = settings.time;
    }

    /** A call begins: when, for {@link #succeeded} and {@link #failed}. */
    long began() {
        lanes.begin();
        return listeners.length == 0 ? 0 : time.nanos();
    }

    void succeeded(@Nullable Object value, long began) {
        lanes.succeed();
        if (listeners.length > 0) {
            ended(new Outcome.Success<>(value), began);
        }
    }

    /** @param call which asks a time-out whether it is its own */
    void failed(Throwable error, Object call, long began) {
        Throwable bare = Operation.bare(error);
        Refusal refusal = Refusals.find(error);
        if (error instanceof TimeLimitExceededException limit && limit.isFor(call)) {
            limit.letGo();
            timeouts.increment();
        } else if (refusal != null) {
            refusals.increment();
        } else if (bare instanceof InterruptedException || bare instanceof CancellationException) {
            cancelled.increment();
        } else {
            failures.increment();
        }
        if (listeners.length > 0) {
            ended(refusal == null ? new Outcome.Failure<>(error) : new Outcome.Refused<>(refusal), began);
        }
    }

    private void ended(Outcome<?> outcome, long began) {
        long nanos = time.nanos() - began;
        tell(listener -> listener.onEnd(outcome, nanos));
    }

    void refused(Throwable error) {
        Refusal refusal = listeners.length == 0 ? null : Refusals.find(error);
        if (refusal != null) {
            tell(listener -> listener.onRefused(refusal));
        }
    }

    void retries(int attempt, @Nullable Throwable cause, long delayNanos) {
        retries.increment();
        if (listeners.length > 0) {
            Duration delay = Duration.ofNanos(delayNanos);
            tell(listener -> listener.onRetry(attempt, cause, delay));
        }
    }

    void hedges(int attempt) {
        hedges.increment();
        tell(listener -> listener.onHedge(attempt));
    }

    private void tell(Consumer<GuardListener> news) {
        for (GuardListener listener : listeners) {
            try {
                news.accept(listener);
            } catch (Throwable dropped) {
                Operation.keepInterrupt(dropped);
            }
        }
    }

    GuardStats stats() {
        long succeeded = lanes.succeeded(); // ends first, so that none is missing from the calls
        long failed = failures.sum();
        long refused = refusals.sum();
        long timedOut = timeouts.sum();
        long ended = cancelled.sum();
        long begun = lanes.begun();
        int inFlight = (int) (begun - succeeded - failed - refused - timedOut - ended);
        return new GuardStats(
                begun, succeeded, failed, refused, timedOut, ended, retries.sum(), hedges.sum(), inFlight);
    }
}
