package io.tidegate.measure;

import io.tidegate.Reading;
import io.tidegate.stage.Stages;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts how admitted calls ended, for a part that counts all ends anyway: only errors cost anything. */
public final class Ends {
    /*
     * The number of successes is the number of ends less that of errors. An error is counted before its end, so the
     * difference is never too great. It may lack one whose error was counted and whose end was not yet, so the last
     * reported value is kept.
     */
    private static final AtomicLongFieldUpdater<Ends> TOLD_SUCCESSES =
            AtomicLongFieldUpdater.newUpdater(Ends.class, "toldSuccesses");

    /** The outcome of a call that ended with a value. */
    public static final String SUCCESS = "success";

    /** The outcome of a call that ended with an error. */
    public static final String FAILURE = "failure";

    /** The outcome of a call that was cancelled. */
    public static final String CANCELLED = "cancelled";

    private final LongAdder failures = new LongAdder();
    private final LongAdder cancelled = new LongAdder();

    @SuppressWarnings("unused") // through TOLD_SUCCESSES
    private volatile long toldSuccesses;

    /**
     * A call is about to end with this error, null for a value. Throws nothing: a call that cannot be counted is not
     * counted.
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
            // the end itself must come
        }
    }

    /** Returns the name of the outcome. */
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
        long given = cancelled.sum();
        long succeeded = TOLD_SUCCESSES.accumulateAndGet(this, ended - failed - given, Math::max);
        to.count("ended", succeeded, "outcome", SUCCESS);
        to.count("ended", failed, "outcome", FAILURE);
        to.count("ended", given, "outcome", CANCELLED);
    }
}
