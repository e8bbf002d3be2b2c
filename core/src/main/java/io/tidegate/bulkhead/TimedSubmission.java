package io.tidegate.bulkhead;

import io.tidegate.gate.Gate.Verdict;
import org.jspecify.annotations.Nullable;

/** A submission that is timed, or whose permit has a recorded holder. */
final class TimedSubmission<T> extends Submission<T> {
    private final long stamp;

    TimedSubmission(PermitBulkhead bulkhead, long stamp) {
        super(bulkhead);
        this.stamp = stamp;
    }

    @Override
    void tell(PermitBulkhead bulkhead, @Nullable Throwable error) {
        bulkhead.learn(bulkhead.free(stamp, error), error, Verdict.JUDGED);
    }
}
