package io.tidegate.breaker;

import io.tidegate.stage.DecidedFuture;
import io.tidegate.stage.OperationHook;
import org.jspecify.annotations.Nullable;

/**
 * An asynchronous call under way: the operation's first signal decides the call's outcome, and then ends the returned
 * future.
 */
final class AsyncCall<T> extends OperationHook<T> {
    private final PeriodBreaker breaker;
    private final long stamp;

    AsyncCall(PeriodBreaker breaker, long stamp, DecidedFuture<T> returned) {
        super(returned);
        this.breaker = breaker;
        this.stamp = stamp;
    }

    @Override
    protected void release(@Nullable T value, @Nullable Throwable error) {
        breaker.endAsync(stamp, value, error);
    }
}
