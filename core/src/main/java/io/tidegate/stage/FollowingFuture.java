package io.tidegate.stage;

import org.jspecify.annotations.Nullable;

/** A future that ends when its operation ends and holds no permit: the hook on the operation holds it. */
public final class FollowingFuture<T> extends DecidedFuture<T> {
    @Override
    protected boolean settle(@Nullable Throwable error) {
        return !isDone();
    }

    @Override
    protected boolean isReturned() {
        return true;
    }
}
