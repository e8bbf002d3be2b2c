package io.tidegate.peers;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Several parts of one library around a call, composed in the way that the library recommends. */
interface Composition {
    /** The time limit of a call, if it has one; long enough for any call to begin. */
    Duration LIMIT = Duration.ofMillis(300);

    /** The number of attempts, if there is a retry. */
    int ATTEMPTS = 3;

    /** The parts, outermost first. All other settings are the library's defaults. */
    enum Parts {
        /** The breaker opens at the first failure; the bulkhead has one permit. */
        BREAKER_AND_BULKHEAD,
        LIMIT_AND_BREAKER,
        LIMIT,
        /** A retry without pauses, and with the library's protection against too many retries, if it has one. */
        RETRY
    }

    CompletableFuture<String> submit(Supplier<CompletionStage<String>> operation);

    /** Makes a call, on this thread if the library can do that. */
    String call(Callable<String> call) throws Exception;

    /** Whether its breaker is open. */
    boolean isOpen();
}
