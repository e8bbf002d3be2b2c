package io.tidegate.breaker;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** An asynchronous call under way: its operation's first signal is its outcome, and ends the returned future afterwards. */
final class AsyncCall<T> implements BiConsumer<@Nullable T, @Nullable Throwable> {
    private final PeriodBreaker breaker;
    private final long stamp;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final CompletableFuture<T> returned = new CompletableFuture<>();

    AsyncCall(PeriodBreaker breaker, long stamp) {
        this.breaker = breaker;
        this.stamp = stamp;
    }

    CompletionStage<T> follow(CompletionStage<T> operation) {
        try {
            operation.whenComplete(this);
        } catch (Throwable thrown) {
            keepInterrupt(thrown);
            accept(null, thrown);
        }
        return returned;
    }

    @Override
    public void accept(@Nullable T value, @Nullable Throwable error) {
        if (ended.compareAndSet(false, true)) {
            breaker.endAsync(stamp, error);
            if (error != null) {
                returned.completeExceptionally(error);
            } else {
                returned.complete(value);
            }
        }
    }

    static boolean isCancellation(@Nullable Throwable error) {
        Throwable root = error instanceof CompletionException ? error.getCause() : error;
        return root instanceof CancellationException;
    }

    static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}
