package io.tidegate.adaptive.lincheck;

import io.tidegate.adaptive.AdaptiveLimit;
import io.tidegate.bulkhead.AsyncBulkhead;
import io.tidegate.bulkhead.PermitLifetime;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;

/**
 * Three callers of one bulkhead whose limit falls with each call that times out. Under {@code OPERATION} a time-out
 * moves the limit and does nothing else, and the end of an operation gives its permit back and does nothing else, so
 * each takes effect at one instant. The number in flight is not part of the answers: a call that is admitted just
 * before the limit falls is counted a moment later.
 */
@Param(name = "caller", gen = IntGen.class, conf = "0:2")
public class FallingLimit {
    static final int START = 3;

    /** The bulkhead of the running check. Static, because Lincheck makes its objects without arguments. */
    static Supplier<AsyncBulkhead> factory = () -> made(AdaptiveLimit.aimd());

    private final AsyncBulkhead bulkhead = factory.get();
    private final Caller[] callers = {new Caller(), new Caller(), new Caller()};

    /** Two calls are in flight from the start. Otherwise most random scenarios would have no call to time out. */
    public FallingLimit() {
        callers[0].enter(bulkhead);
        callers[1].enter(bulkhead);
    }

    static AsyncBulkhead made(AdaptiveLimit.Builder algorithm) {
        return algorithm
                .initial(START)
                .max(START)
                .ticker(() -> 0L)
                .permitLifetime(PermitLifetime.OPERATION)
                .build();
    }

    @Operation
    public boolean enter(@Param(name = "caller") int caller) {
        return callers[caller].enter(bulkhead);
    }

    @Operation
    public boolean timeOut(@Param(name = "caller") int caller) {
        return callers[caller].timeOut();
    }

    @Operation
    public boolean leave(@Param(name = "caller") int caller) {
        return callers[caller].leave();
    }

    @Operation
    public int limit() {
        return bulkhead.maxInFlight();
    }

    private static final class Caller {
        private @Nullable CompletableFuture<String> operation;
        private @Nullable CompletableFuture<String> returned;

        synchronized boolean enter(AsyncBulkhead bulkhead) {
            if (operation != null) {
                return false;
            }
            CompletableFuture<String> begun = new CompletableFuture<>();
            CompletableFuture<String> future = bulkhead.submit(() -> begun).toCompletableFuture();
            if (future.isDone()) {
                return false;
            }
            operation = begun;
            returned = future;
            return true;
        }

        synchronized boolean timeOut() {
            return returned != null && returned.completeExceptionally(new TimeoutException());
        }

        /** Ends the call without a statement about the callee. */
        synchronized boolean leave() {
            if (operation == null) {
                return false;
            }
            operation.cancel(false);
            operation = null;
            returned = null;
            return true;
        }
    }
}
