package io.tidegate.measure;

import io.tidegate.Reading;
import io.tidegate.stage.Stages;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the ends of admitted calls by outcome, for a part that counts all ends anyway: only ends with an error cost
 * anything here.
 */
public final class Ends {
    /*
     * The number of successes is the number of ends less the number of errors. An error is counted before its end, so
     * the difference is never too great. It may be too small for a moment, while an error is counted and its end is
     * not, so a lower value than the last reported one is not reported.
     */
    private static final AtomicLongFieldUpdater<Ends> REPORTED_SUCCESSES =
            AtomicLongFieldUpdater.newUpdater(Ends.class, "reportedSuccesses");

    /** The outcome of a call that ended with a value. */
    public static final String SUCCESS = "success";

    /** The outcome of a call that ended with an error. */
    public static final String FAILURE = "failure";

    /** The outcome of a call that was cancelled. */
    public static final String CANCELLED = "cancelled";

    private final LongAdder failures = new LongAdder();
    private final LongAdder cancelled = new LongAdder();

    @SuppressWarnings("unused") // through REPORTED_SUCCESSES
    private volatile long reportedSuccesses;

    /**
     * Counts a call that is about to end with this error, null for a value. Throws nothing: if there is no memory, the
     * call is not counted.
     */
    public void count(@Nullable Throwable error) {
        if (error != null) {
            countError(Stages.isCancellation(error));
        }
    }

    /** As {@link #count}, for an error whose kind is known. */
    public void countError(boolean isCancellation) {
        try {
            (isCancellation ? cancelled : failures).increment();
        } catch (Throwable outOfMemory) {
            // the call must end anyway
        }
    }

    /** Returns the name of the outcome of a call that ended with this error, null for a value. */
    public static String outcome(@Nullable Throwable error) {
        if (error == null) {
            return SUCCESS;
        }
        return Stages.isCancellation(error) ? CANCELLED : FAILURE;
    }

    /**
     * Reports the counts.
     *
     * @param ended how many calls had ended in all before this method was called
     */
    public void read(Reading to, long ended) {
        long failed = failures.sum();
        long cancelledSum = cancelled.sum();
        long succeeded = REPORTED_SUCCESSES.accumulateAndGet(this, ended - failed - cancelledSum, Math::max);
        to.count("ended", succeeded, "outcome", SUCCESS);
        to.count("ended", failed, "outcome", FAILURE);
        to.count("ended", cancelledSum, "outcome", CANCELLED);
    }
}
