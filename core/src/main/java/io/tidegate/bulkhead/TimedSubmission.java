package io.tidegate.bulkhead;

import io.tidegate.gate.Gate.Verdict;
import org.jspecify.annotations.Nullable;

/** A submission whose end says something to a limit that moves. */
final class TimedSubmission<T> extends Submission<T> {
    private final long stamp;

    TimedSubmission(PermitBulkhead bulkhead, long stamp) {
        super(bulkhead);
        this.stamp = stamp;
    }

    @Override
    void tell(PermitBulkhead bulkhead, @Nullable Throwable error) {
        bulkhead.learn(stamp, error, Verdict.JUDGED);
    }
}
