package io.tidegate.guard;

import io.tidegate.Reading;
import io.tidegate.Refusal;
import io.tidegate.gate.Refusals;
import io.tidegate.measure.Holders;
import io.tidegate.measure.Times;
import io.tidegate.stage.Stages;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts what a guard does and notifies its listeners. */
final class CallCounts {
    private final GuardListener[] listeners;
    private final ThreadCounts byThread = new ThreadCounts();
    private final LongAdder failures = new LongAdder();
    private final LongAdder refusals = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder cancelled = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder hedges = new LongAdder();
    private final RefusalCounts refusalCounts = new RefusalCounts();
    private final Times runs;
    private final Holders holders;

    CallCounts(GuardBuilder settings) {
        this.listeners = settings.listeners.toArray(GuardListener[]::new);
        this.runs = new Times(settings.time::nanos);
        this.holders = new Holders("guard", settings.name, settings.watch);
    }

    /** The counts of this thread, if it has any; one lookup is enough for a call that ends where it began. */
    ThreadCounts.@Nullable ThreadCount ofThread() {
        return byThread.own();
    }

    /**
     * Counts the start of a call, and returns a stamp for {@link #succeeded} or {@link #failed}.
     *
     * @param own the counts of this thread, if it has any
     */
    long began(ThreadCounts.@Nullable ThreadCount own) {
        long number = byThread.begin(own);
        long stamp;
        if (listeners.length > 0) {
            stamp = runs.beginAlways();
        } else {
            stamp = number < 0 ? runs.begin() : runs.begin(number);
        }
        return holders.isOff() ? stamp : holders.begin(stamp);
    }

    /** @param own the counts of this thread, if it has any */
    void succeeded(@Nullable Object value, long began, ThreadCounts.@Nullable ThreadCount own) {
        byThread.succeed(own);
        long stamp = endHold(began, "success");
        if (listeners.length == 0) {
            runs.end(stamp);
        } else {
            ended(new Outcome.Success<>(value), stamp);
        }
    }

    /** @param call the call: a time-out counts as such only if a limit around this call caused it */
    void failed(Throwable error, Object call, long began) {
        Throwable bare = Stages.bare(error);
        Refusal refusal = Refusals.find(error);
        String outcome;
        if (error instanceof TimeLimitExceededException limit && limit.isFor(call)) {
            limit.letGo();
            timeouts.increment();
            outcome = "timeout";
        } else if (refusal != null) {
            refusals.increment();
            refusalCounts.count(refusal);
            outcome = "refused";
        } else if (bare instanceof InterruptedException || bare instanceof CancellationException) {
            cancelled.increment();
            outcome = "cancelled";
        } else {
            failures.increment();
            outcome = "failure";
        }
        long stamp = endHold(began, outcome);
        if (listeners.length == 0) {
            runs.end(stamp);
        } else {
            Throwable reported = bare == null ? error : bare;
            ended(refusal == null ? new Outcome.Failure<>(reported) : new Outcome.Refused<>(refusal), stamp);
        }
    }

    /* Ends the record of the call as a holder. Returns the stamp inside, for `runs`. */
    private long endHold(long began, String outcome) {
        return Holders.isHeld(began) ? holders.end(began, outcome) : began;
    }

    private void ended(Outcome<?> outcome, long stamp) {
        long nanos = runs.elapsed(stamp);
        runs.took(nanos);
        tell(listener -> listener.onEnd(outcome, nanos));
    }

    void refused(Throwable error) {
        Refusal refusal = listeners.length == 0 ? null : Refusals.find(error);
        if (refusal != null) {
            tell(listener -> listener.onRefused(refusal));
        }
    }

    /** Another attempt will follow after a pause, unless the call ends in the pause. */
    void retryPlanned(int attempt, @Nullable Throwable cause, long delayNanos) {
        if (listeners.length > 0) {
            Duration delay = Duration.ofNanos(delayNanos);
            Throwable bare = Stages.bare(cause);
            tell(listener -> listener.onRetry(attempt, bare, delay));
        }
    }

    /** The planned attempt was made. */
    void retried() {
        retries.increment();
    }

    void hedged(int attempt) {
        hedges.increment();
        tell(listener -> listener.onHedge(attempt));
    }

    private void tell(Consumer<GuardListener> news) {
        for (GuardListener listener : listeners) {
            try {
                news.accept(listener);
            } catch (Throwable dropped) {
                Stages.keepInterrupt(dropped);
            }
        }
    }

    void read(Reading to) {
        refusalCounts.read(to);
        runs.read(to, "run");
        holders.read(to);
    }

    GuardStats stats() {
        long succeeded = byThread.succeeded(); // ends first, so that none is missing from the calls
        long failed = failures.sum();
        long refused = refusals.sum();
        long timedOut = timeouts.sum();
        long cancelledSum = cancelled.sum();
        long begun = byThread.begun();
        int inFlight = (int) (begun - succeeded - failed - refused - timedOut - cancelledSum);
        return new GuardStats(
                begun, succeeded, failed, refused, timedOut, cancelledSum, retries.sum(), hedges.sum(), inFlight);
    }
}
