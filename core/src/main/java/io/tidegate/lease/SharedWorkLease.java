package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Leases on an engine outside the process, which hold for all processes that use it.
 *
 * <p>A lease belongs to an owner and has a duration, measured by the engine's clock alone. Its owner gets its token
 * again; all others get {@link AcquireResult.HeldElsewhere}, and {@link #inspect} shows them an empty token. After the
 * duration another owner that asks for the offset takes over, with a new token and a greater fence. That counts as a
 * retry, so work that kills its process ends as failed when no retry is left. After a take-over the old owner's token
 * is refused. Only {@link #renew} and a failure with retries left prolong a lease; {@link #tryAcquire} does not.
 *
 * <p>When the engine cannot be reached, or its answer is lost, an operation may have been applied or not: repeat it as
 * the same owner. {@link #tryAcquire} then answers {@link AcquireResult.AlreadyAcquired} if it had been granted, and
 * the last finish of a domain gets the same answer again. A failure with retries left can be repeated only if it is
 * numbered, see {@link Failure}.
 */
public interface SharedWorkLease extends WorkLease {
    /** The owner of these leases. */
    String owner();

    /** How long a lease lasts unless it is prolonged. */
    Duration leaseDuration();

    /** The greatest number of connections to the engine, if that is limited and known. */
    default OptionalInt connections() {
        return OptionalInt.empty();
    }

    /**
     * Prolongs the lease to its whole duration from now. Works after its end, too, until another owner has taken over.
     *
     * @return until when, by the engine's clock
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    long renew(String domainId, String token);

    /**
     * {@link #renew} for many leases in one round trip. The answers are in the order of the leases. A refusal does not
     * affect the others, and no renewal waits for another: for a domain that is locked at this moment, for example by
     * a transaction that finishes it, the answer is 0. Its lease is not prolonged, but cannot be taken over while it
     * is locked.
     */
    List<BatchAnswer<Long>> renewAll(List<Finish> leases);

    /**
     * Gives the leased offset back to the head of the backlog, with its retry count unchanged. The next owner that asks
     * for it gets it, with a new token and fence.
     *
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    void release(String domainId, String token);

    /**
     * {@link #release} for an operator, who has no token: the next renewal or finish of the holder is refused. Use it
     * only if the holder is stuck: work that still runs may run twice.
     *
     * @param fence its fence, as {@link #domains} or {@link #inspect} shows it: a newer lease stays
     * @return false when the domain has no lease with this fence; then nothing has changed
     * @throws UnsupportedOperationException when the lease does not support it
     */
    default boolean forceRelease(String domainId, long fence) {
        throw new UnsupportedOperationException("forceRelease: not supported by this lease");
    }

    /**
     * Returns the domains with abandoned work: the lease has run out, or offsets wait and none is leased. They are
     * sorted by the bytes of their names in UTF-8.
     *
     * @param limit at most this many
     * @param afterDomain only those behind this one; empty for the first
     * @throws IllegalArgumentException when {@code limit} is not positive
     */
    List<String> pending(int limit, String afterDomain);

    /**
     * Like {@link #fail(String, String)}, but can be repeated: a failure that is reported again counts once and gets
     * the same answer.
     *
     * @param failure which failure with this token it is, from 1
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     * @throws IllegalArgumentException when {@code failure} is not positive, or the one before was not reported
     */
    default FailResult fail(String domainId, String token, int failure) {
        if (failure < 1) {
            throw new IllegalArgumentException("failure: " + failure + " (expected: >= 1)");
        }
        return fail(domainId, token, new Failure(failure, false, ""));
    }

    @Override
    long forgetAll(long upToOffset);

    @Override
    long deleteFailed(Duration olderThan);

    @Override
    long deleteIdle(Duration idle);

    /**
     * Asks for many offsets in one round trip. The answers are in the order of the offers, and a refusal does not
     * affect the others.
     */
    List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers);

    /**
     * Ends many leases in one round trip. The answers are in the order of the finishes, and a refusal does not affect
     * the others.
     */
    List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes);

    /** An offset that is asked for together with others. */
    record Offer(String domainId, long offset) {
        public Offer {
            requireDomain(domainId);
        }
    }

    /** A lease that is to end together with others. */
    record Finish(String domainId, String token) {
        public Finish {
            requireDomain(domainId);
            requireNonNull(token, "token");
        }

        /** Without the token, which is as good as the lease. */
        @Override
        public String toString() {
            return "Finish(" + domainId + ")";
        }
    }

    /**
     * The answer to one part of a batch.
     *
     * @param result what the single operation would have returned
     * @param refusal what the single operation would have thrown: {@link BacklogOrderingException}, {@link
     *     BacklogFullException}, {@link LeaseNotFoundException} or {@link TokenMismatchException}
     */
    record BatchAnswer<R>(Optional<R> result, Optional<IllegalStateException> refusal) {
        public BatchAnswer {
            requireNonNull(result, "result");
            requireNonNull(refusal, "refusal");
            if (result.isPresent() == refusal.isPresent()) {
                throw new IllegalArgumentException(
                        "result: " + result + ", refusal: " + refusal + " (expected: one of them)");
            }
        }

        /** What a single operation returns or throws, for implementations of a lease. */
        public static <R> BatchAnswer<R> of(Supplier<R> single) {
            try {
                return new BatchAnswer<>(Optional.of(single.get()), Optional.empty());
            } catch (BacklogOrderingException
                    | BacklogFullException
                    | LeaseNotFoundException
                    | TokenMismatchException refused) {
                return new BatchAnswer<>(Optional.empty(), Optional.of(refused));
            }
        }

        /** The result; throws as the single operation would have. */
        public R orThrow() {
            return result.orElseThrow(refusal::get);
        }
    }

    private static void requireDomain(String domainId) {
        if (requireNonNull(domainId, "domainId").isEmpty()) {
            throw new IllegalArgumentException("domainId: \"\" (expected: not empty)");
        }
    }
}
