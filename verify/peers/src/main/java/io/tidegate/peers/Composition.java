package io.tidegate.peers;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Several parts of one library around a call, put together in the way that it recommends. */
interface Composition {
    /** How long a call may take, where there is a limit; long enough for any call to have begun. */
    Duration LIMIT = Duration.ofMillis(300);

    /** How often a call is tried, where there is a retry. */
    int ATTEMPTS = 3;

    /** Which parts, outermost first. All else is the library's default. */
    enum Parts {
        /** The breaker opens at the first failure; the bulkhead has one permit. */
        BREAKER_AND_BULKHEAD,
        LIMIT_AND_BREAKER,
        LIMIT,
        /** Without pauses, and with whatever the library has against too many. */
        RETRY
    }

    CompletableFuture<String> submit(Supplier<CompletionStage<String>> operation);

    /** Makes a call on this thread, if the library can. */
    String call(Callable<String> call) throws Exception;

    /** Whether its breaker is open. */
    boolean isOpen();
}
