package io.tidegate.lease;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Gives the work of each domain out one offset at a time, in the order in which the offsets came, and remembers what is
 * done.
 *
 * <p>A caller that has an offset to work on asks {@link #tryAcquire}. With the token of {@link AcquireResult.Acquired}
 * it works, and then tells {@link #succeed} or {@link #fail}; their answer hints at the offset to ask for next. Nothing
 * here waits, runs work or keeps a timer: when to ask, and when to try again, is the caller's affair, which {@link
 * LeaseRunner} takes over for those who want it.
 *
 * <p>Thread-safe. The operations of a domain happen one after the other, and each happens wholly or, when it throws,
 * not at all; what a thread did before it finished an offset is seen by the thread that acquires the next one. Domains
 * do not delay each other. No operation waits for work, and none is interruptible.
 */
public interface WorkLease extends Part {
    /** The name of a lease that was given none: {@value}. */
    String DEFAULT_NAME = "lease";

    /** Leases that live in this process, with the system's clock, tokens that cannot be guessed, and fences from 1. */
    static WorkLease inMemory(int maxRetries) {
        return builder(maxRetries).build();
    }

    /**
     * Leases that live in this process, with choices.
     *
     * @param maxRetries how often an offset is tried again after its first attempt failed
     * @throws IllegalArgumentException when {@code maxRetries} is negative
     */
    static Builder builder(int maxRetries) {
        return new InMemoryBuilder(maxRetries);
    }

    /**
     * Asks for an offset. Looks first whether the offset is done, then whether the domain is leased, then who is at the
     * head of the backlog.
     *
     * @throws BacklogOrderingException when nothing is leased and another offset is at the head; nothing is enqueued
     *     then
     * @throws BacklogFullException when the offset would have to wait, and as many wait as may
     * @throws IllegalArgumentException when the domain is empty
     */
    AcquireResult tryAcquire(String domainId, long offset);

    /**
     * Ends the leased offset as processed. The lease is free afterwards; nothing is handed over.
     *
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    SucceedResult succeed(String domainId, String token);

    /**
     * {@link #succeed}, and {@link #tryAcquire} of the offset that it hints at. Answers as the two would, one after the
     * other; on an engine they take one round trip and one transaction.
     *
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    default TakeNextResult succeedAndTakeNext(String domainId, String token) {
        return TakeNextResult.of(succeed(domainId, token), next -> tryAcquire(domainId, next));
    }

    /**
     * Tells that an attempt at the leased offset failed. The lease stays, with its token, while retries are left; after
     * the last one the offset ends as failed.
     *
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    FailResult fail(String domainId, String token);

    /**
     * Like {@link #fail(String, String)}, with what is known of the failure. A permanent one is not tried again: the
     * offset ends as failed.
     *
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    default FailResult fail(String domainId, String token, Failure failure) {
        FailResult result = fail(domainId, token);
        while (failure.permanent() && result instanceof FailResult.RetryScheduled) {
            result = fail(domainId, token);
        }
        return result;
    }

    /**
     * What is known of a domain at one instant; empty when nothing was ever acquired or forgotten there. Of a long
     * backlog the first {@value DomainSnapshot#MOST_BACKLOG} offsets.
     */
    Optional<DomainSnapshot> inspect(String domainId);

    /**
     * What has failed in a domain and was not replayed, by offset.
     *
     * @param limit at most so many
     * @throws IllegalArgumentException when {@code limit} is not positive
     * @throws UnsupportedOperationException when the lease does not keep it
     */
    default List<FailedWork> failedWork(String domainId, int limit) {
        throw new UnsupportedOperationException("failedWork: not kept here");
    }

    /**
     * The offsets in line behind this one, in their order; none when it is not in line itself. So a long backlog is
     * read page by page.
     *
     * @param limit at most so many
     * @throws IllegalArgumentException when {@code limit} is not positive
     */
    default List<Long> backlogBehind(String domainId, long offset, int limit) {
        throw new UnsupportedOperationException("backlogBehind: not told here");
    }

    /**
     * All domains that {@link #inspect} knows, in the order of their names by their bytes in UTF-8. Read page by page:
     * go on behind the last domain of a page until a page is not full. Each domain is shown as it was at one instant;
     * the others, and other pages, may be of other instants. A domain that is there all the time is shown once.
     *
     * @param limit at most so many
     * @param afterDomain only those behind this one, be it known or not; empty for the first
     * @throws IllegalArgumentException when {@code limit} is not positive
     * @throws UnsupportedOperationException when the lease does not list them
     */
    default List<DomainSummary> domains(int limit, String afterDomain) {
        throw new UnsupportedOperationException("domains: not listed here");
    }

    /**
     * What {@link #domains} shows of this domain; empty when {@link #inspect} does not know it.
     *
     * @throws UnsupportedOperationException when the lease does not list domains
     */
    default Optional<DomainSummary> summary(String domainId) {
        throw new UnsupportedOperationException("summary: not told here");
    }

    /**
     * Lets the offsets up to this one shrink to a single number. Each of them that is neither leased, queued nor failed
     * answers {@link AcquireResult.AlreadyProcessed} from now on, whether it was ever seen or not.
     */
    void forget(String domainId, long upToOffset);

    /**
     * {@link #forget} for all domains there are, in small steps. What counts as idle stays so.
     *
     * @return how many domains there are
     * @throws UnsupportedOperationException when the lease does not do it
     */
    default long forgetAll(long upToOffset) {
        throw new UnsupportedOperationException("forgetAll: not done here");
    }

    /**
     * Forgets what has failed longer ago than this. It does not run again: a forgotten offset is answered
     * {@link AcquireResult.AlreadyProcessed} from then on, and cannot be replayed. Domains that are in use at this
     * moment may be left out.
     *
     * @return how many
     * @throws IllegalArgumentException when the duration is negative
     * @throws UnsupportedOperationException when the lease does not do it
     */
    default long deleteFailed(Duration olderThan) {
        throw new UnsupportedOperationException("deleteFailed: not done here");
    }

    /**
     * Deletes the domains in which nothing is leased, queued or failed and nothing has happened for so long. What was
     * processed there is not known any more, so an old offset that is offered again runs again. Fences go on rising. In
     * memory the time of a domain counts from the first call that finds it idle: call it again and again.
     *
     * @return how many
     * @throws IllegalArgumentException when the duration is negative
     * @throws UnsupportedOperationException when the lease does not do it
     */
    default long deleteIdle(Duration idle) {
        throw new UnsupportedOperationException("deleteIdle: not done here");
    }

    /**
     * Makes a failed offset new work at the tail of the backlog, with all its retries before it. Somebody has to ask
     * for it when it is its turn.
     *
     * @return false when the offset has not failed
     */
    boolean replay(String domainId, long offset);

    /** The name given to the builder, or {@value #DEFAULT_NAME}. */
    @Override
    default String name() {
        return DEFAULT_NAME;
    }

    /** Returns {@code "lease"}. */
    @Override
    default String kind() {
        return "lease";
    }

    @Override
    default void read(Reading to) {}

    /** Choices for leases in memory. Not thread-safe. */
    interface Builder {
        /**
         * Names the lease in measures. Default: {@value WorkLease#DEFAULT_NAME}.
         *
         * @throws IllegalArgumentException if it is blank
         */
        Builder name(String name);

        /** Dates the leases; {@link Clock#systemUTC()} otherwise. Called as a {@link TokenSource} is. */
        Builder clock(Clock clock);

        /**
         * Makes the tokens; otherwise they contain the fence and a hash of it under a key that is random for each
         * store.
         */
        Builder tokens(TokenSource tokens);

        /**
         * How many offsets may wait in a domain: one more is refused with {@link BacklogFullException}. What is
         * replayed, or given back, is not. Otherwise as many as come.
         *
         * @throws IllegalArgumentException when it is not positive
         */
        Builder maxBacklog(int offsets);

        /** The leases, in memory. */
        WorkLease build();
    }
}
