package io.tidegate.stage;

import org.jspecify.annotations.Nullable;

/** Ends the returned future with the operation, and holds nothing else. */
public final class EndHook<T> extends Hook<T> {
    public EndHook(DecidedFuture<T> returned) {
        super(returned);
    }

    /** Ends nothing. */
    EndHook() {
        super(null);
    }

    @Override
    public void accept(@Nullable T value, @Nullable Throwable error) {
        DecidedFuture<T> future = returned();
        if (future != null) {
            future.end(value, error);
        }
    }
}
