package io.tidegate.bulkhead;

import io.tidegate.gate.Gate.Verdict;
import org.jspecify.annotations.Nullable;

/** A submission that is timed, for measures or for a limit that moves, or whose holder is recorded. */
final class TimedSubmission<T> extends BulkheadSubmission<T> {
    private final long stamp;

    TimedSubmission(PermitBulkhead bulkhead, long stamp) {
        super(bulkhead);
        this.stamp = stamp;
    }

    @Override
    void released(PermitBulkhead bulkhead, @Nullable Throwable error) {
        bulkhead.learn(bulkhead.endRecord(stamp, error), error, Verdict.JUDGED);
    }
}
