package io.tidegate.stage;

import org.jspecify.annotations.Nullable;

/** A future that ends with its operation and holds nothing: the operation's own hook holds the permit. */
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
