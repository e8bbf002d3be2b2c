package io.tidegate;

import io.tidegate.gate.Refusals;
import io.tidegate.remote.BulkheadException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A part refused a call, and nothing was run. Every exception by which a part of the library refuses is a {@code
 * Refusal}, so that one question distinguishes a refusal from a failure:
 *
 * <pre>{@code
 * Refusal.in(error).ifPresent(refusal -> answerBusy(refusal.code(), refusal.retryAfter()));
 * }</pre>
 */
public interface Refusal {
    /** The stable code: it never changes once released. */
    String code();

    /** The name of the part that refused. */
    String source();

    /** How long to wait before a retry may succeed; {@link Duration#ZERO} if that is not known. */
    Duration retryAfter();

    /**
     * Looks for a refusal: the error itself, or one at any depth of {@link CompletionException}s and {@link
     * ExecutionException}s. Causes of other exceptions are not searched. A {@link BulkheadException} that reports a
     * mistake is not a refusal.
     */
    static Optional<Refusal> in(@Nullable Throwable error) {
        return Optional.ofNullable(Refusals.find(error));
    }
}
