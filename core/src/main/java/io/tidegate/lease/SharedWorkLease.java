package io.tidegate.lease;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Leases that live on an engine outside of the process, and hold for all processes that use it.
 *
 * <p>A lease belongs to an owner and has a duration, which the engine's clock alone judges. Its owner is shown its
 * token again; all others are told {@link AcquireResult.HeldElsewhere}, and {@link #inspect} shows them an empty token.
 * After the duration another owner that asks for the offset takes over, with a new token and a greater fence. That
 * counts as a retry, so work that kills its process comes to an end; with no retry left, the offset has failed. The old
 * owner's token is refused then. Only {@link #renew} and a failure that is to be retried prolong a lease; asking again
 * does not.
 *
 * <p>When the engine cannot be reached, or its answer is lost, an operation may have happened or not: ask again, as the
 * same owner. {@link #tryAcquire} then answers {@link AcquireResult.AlreadyAcquired} if it had been granted, and the
 * last finish of a domain is answered as it was. For a failure that is to be retried that holds only if it is numbered,
 * see {@link Failure}.
 */
public interface SharedWorkLease extends WorkLease {
    /** Whose leases these are. */
    String owner();

    /** How long a lease lasts unless it is prolonged. */
    Duration leaseDuration();

    /** How many connections there are at the most to reach the engine with, if that is limited and known. */
    default OptionalInt connections() {
        return OptionalInt.empty();
    }

    /**
     * Prolongs the lease: it lasts for its whole duration from now. Also after its time, as long as nobody has taken
     * over.
     *
     * @return until when, by the engine's clock
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    long renew(String domainId, String token);

    /**
     * {@link #renew} for many leases in one round trip. The answers are in the order of the leases. What is refused
     * does not hinder the others, and none waits for another: a domain that is locked at this moment, as by a caller's
     * transaction that finishes it, is answered 0. It is not prolonged then, and cannot be taken over while it is
     * locked.
     */
    List<BatchAnswer<Long>> renewAll(List<Finish> leases);

    /**
     * Gives the leased offset back to the head of the backlog, with its retries as they are. Whoever asks for it next
     * gets it, with a new token and fence.
     *
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    void release(String domainId, String token);

    /**
     * {@link #release} for an operator, who has no token: whoever holds the lease is told at its next renewal or finish
     * that it has lost it. Only for a lease whose holder is stuck, as work that still runs may then run twice.
     *
     * @param fence of the lease that is meant, as {@link #domains} or {@link #inspect} shows it: a lease that somebody
     *     has got meanwhile stays
     * @return false when the domain has no lease with this fence; nothing has changed then
     * @throws UnsupportedOperationException when the lease does not do it
     */
    default boolean forceRelease(String domainId, long fence) {
        throw new UnsupportedOperationException("forceRelease: not done here");
    }

    /**
     * Domains that have work and nobody on it: leased past its time, or queued with nothing leased. In the order of
     * their names, by their bytes in UTF-8.
     *
     * @param limit at most so many
     * @param afterDomain only those behind this one; empty for the first
     * @throws IllegalArgumentException when {@code limit} is not positive
     */
    List<String> pending(int limit, String afterDomain);

    /**
     * Like {@link #fail(String, String)}, but can be repeated: a failure is counted once, and told again gets the
     * answer it got.
     *
     * @param failure which failure with this token it is, from 1
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     * @throws IllegalArgumentException when {@code failure} is not positive, or the one before has not been told
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
     * Asks for many offsets in one round trip. The answers are in the order of the offers, and what is refused does not
     * hinder the others.
     */
    List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers);

    /**
     * Ends many leases in one round trip. The answers are in the order of the finishes, and what is refused does not
     * hinder the others.
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
     * What came of one of many that were asked together.
     *
     * @param result what asking for it alone would have returned
     * @param refusal what asking for it alone would have thrown: {@link BacklogOrderingException}, {@link
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

        /** What one operation of many returns or throws, for those who implement a lease. */
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

        /** The result, as if it had been asked for alone. */
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
