package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.LongFunction;

/**
 * The answer to {@link WorkLease#succeedAndTakeNext}.
 *
 * @param succeeded what {@link WorkLease#succeed} would have returned
 * @param next what {@link WorkLease#tryAcquire} of the offset it hints at would have returned; empty if it hints at
 *     none, if another one is at the head by now, or if the acquisition failed: call {@code tryAcquire} to learn why
 */
public record TakeNextResult(SucceedResult succeeded, Optional<AcquireResult> next) {
    public TakeNextResult {
        requireNonNull(succeeded, "succeeded");
        requireNonNull(next, "next");
    }

    /** Makes both calls, one after the other, for implementations of a lease. */
    public static TakeNextResult of(SucceedResult succeeded, LongFunction<AcquireResult> tryAcquire) {
        if (!(succeeded instanceof SucceedResult.NextHint hint)) {
            return new TakeNextResult(succeeded, Optional.empty());
        }
        try {
            return new TakeNextResult(succeeded, Optional.of(tryAcquire.apply(hint.offset())));
        } catch (Throwable refused) { // the success must be reported anyway
            return new TakeNextResult(succeeded, Optional.empty());
        }
    }
}
