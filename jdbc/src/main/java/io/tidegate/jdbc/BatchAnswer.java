package io.tidegate.jdbc;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.TokenMismatchException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What came of one of many that were asked together.
 *
 * @param result what asking for it alone would have returned
 * @param refusal what asking for it alone would have thrown: {@link BacklogOrderingException}, {@link LeaseNotFoundException} or
 *     {@link TokenMismatchException}
 */
public record BatchAnswer<R>(Optional<R> result, Optional<IllegalStateException> refusal) {
    public BatchAnswer {
        requireNonNull(result, "result");
        requireNonNull(refusal, "refusal");
        if (result.isPresent() == refusal.isPresent()) {
            throw new IllegalArgumentException(
                    "result: " + result + ", refusal: " + refusal + " (expected: one of them)");
        }
    }

    static <R> BatchAnswer<R> of(Supplier<R> single) {
        try {
            return new BatchAnswer<>(Optional.of(single.get()), Optional.empty());
        } catch (BacklogOrderingException | LeaseNotFoundException | TokenMismatchException refused) {
            return new BatchAnswer<>(Optional.empty(), Optional.of(refused));
        }
    }

    /** The result, as if it had been asked for alone. */
    public R orThrow() {
        return result.orElseThrow(refusal::get);
    }
}
