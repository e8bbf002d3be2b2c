package io.tidegate.spring.http;

import io.tidegate.guard.Guard;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call of an HTTP client through a guard. */
abstract class Exchange<R> {
    /*
     * To the guard, a failed response is an exception: so breakers, retries and adaptive limits treat it like any
     * other. The last one is turned back into its response, and the caller's own handling of statuses goes on as
     * without a guard. Responses that the caller does not get are discarded, so that their connections become free:
     * those before a retry, and one that came too late for a time limit.
     */
    private final Guard guard;
    private final Queue<R> responses = new ConcurrentLinkedQueue<>();
    private final Queue<CompletableFuture<R>> attempts = new ConcurrentLinkedQueue<>();
    private final Map<FailedResponse, R> failures = new ConcurrentHashMap<>();
    private volatile boolean over;

    Exchange(Guard guard) {
        this.guard = guard;
    }

    /** Returns the failure that a response means; null if it means none. */
    abstract @Nullable FailedResponse failure(R response) throws Exception;

    /** Discards a response that will not be read. */
    abstract void discard(R response);

    // On the caller's thread

    R call(Callable<R> attempt) throws Exception {
        R given = null;
        try {
            given = guard.call(() -> {
                discardAllBut(null);
                R response = attempt.call();
                responses.add(response);
                FailedResponse failure = failure(response);
                if (failure == null) {
                    return response;
                }
                failures.put(failure, response);
                throw failure;
            });
        } catch (FailedResponse failed) {
            given = failures.get(failed);
            if (given == null) {
                throw failed; // the failure belongs to a call inside this one
            }
        } finally {
            discardAllBut(given);
        }
        return given;
    }

    @SuppressWarnings("ReferenceEquality") // compares identity
    private void discardAllBut(@Nullable R given) {
        for (R response = responses.poll(); response != null; response = responses.poll()) {
            if (response != given) {
                discard(response);
            }
        }
    }

    // Asynchronously

    /** Runs the attempts. When the caller ends the returned future, the exchange ends. */
    @SuppressWarnings("FutureReturnValueIgnored") // the registered callbacks never fail
    CompletableFuture<R> submit(Supplier<CompletableFuture<R>> attempt) {
        CompletableFuture<R> submission =
                guard.submit(() -> judged(attempt.get())).toCompletableFuture();
        CompletableFuture<R> given = new CompletableFuture<>();
        submission.whenComplete((response, error) -> {
            Throwable bare =
                    error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
            R failed = bare instanceof FailedResponse failure ? failures.get(failure) : null;
            if (failed != null) {
                given.complete(failed);
            } else if (error != null) {
                given.completeExceptionally(error);
            } else {
                given.complete(response);
            }
        });
        given.whenComplete((response, error) -> {
            submission.cancel(false); // the caller may have ended the future
            over = true;
            attempts.forEach(each -> each.cancel(true));
            discardAllBut(response);
        });
        return given;
    }

    private CompletableFuture<R> judged(CompletableFuture<R> attempt) {
        attempts.add(attempt);
        return attempt.thenCompose(response -> {
            responses.add(response);
            if (over) {
                discardAllBut(null);
            }
            try {
                FailedResponse failure = failure(response);
                if (failure == null) {
                    return CompletableFuture.completedFuture(response);
                }
                failures.put(failure, response);
                return CompletableFuture.failedFuture(failure);
            } catch (Exception thrown) {
                return CompletableFuture.failedFuture(thrown);
            }
        });
    }
}
