package io.tidegate.stage;

import org.jspecify.annotations.Nullable;

/** Ends the returned future when the operation ends, and holds no permit. */
public final class EndHook<T> extends Hook<T> {
    public EndHook(DecidedFuture<T> returned) {
        super(returned);
    }

    /** Makes a hook that ends nothing. */
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
