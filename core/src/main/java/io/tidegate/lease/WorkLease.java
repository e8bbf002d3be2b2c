package io.tidegate.lease;

import io.tidegate.Part;
import io.tidegate.Reading;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Gives out the work of each domain one offset at a time, in order of arrival, and remembers what is done.
 *
 * <p>A caller that has an offset to work on calls {@link #tryAcquire}. With the token of {@link AcquireResult.Acquired}
 * it works, and then calls {@link #succeed} or {@link #fail}; their answer hints at the offset to ask for next. Nothing
 * here waits, runs work or keeps a timer: the caller decides when to ask and when to retry. {@link LeaseRunner} does
 * all of that.
 *
 * <p>Thread-safe. The operations of a domain happen one after the other, and each is atomic: when it throws, nothing
 * has changed. What a thread did before it finished an offset is visible to the thread that acquires the next one.
 * Domains do not delay each other. No operation waits for work, and none is interruptible.
 */
public interface WorkLease extends Part {
    /** The name unless set: {@value}. */
    String DEFAULT_NAME = "lease";

    /** Leases in this process, with the system's clock, tokens that cannot be guessed, and fences from 1. */
    static WorkLease inMemory(int maxRetries) {
        return builder(maxRetries).build();
    }

    /**
     * A builder of leases in this process.
     *
     * @param maxRetries how often an offset is retried after its first attempt failed
     * @throws IllegalArgumentException when {@code maxRetries} is negative
     */
    static Builder builder(int maxRetries) {
        return new InMemoryBuilder(maxRetries);
    }

    /**
     * Asks for an offset. Checks first whether the offset is done, then whether the domain is leased, then which offset
     * is at the head of the backlog.
     *
     * @throws BacklogOrderingException when nothing is leased and another offset is at the head; then nothing is
     *     enqueued
     * @throws BacklogFullException when the offset would have to wait, but the backlog is full
     * @throws IllegalArgumentException when the domain is empty
     */
    AcquireResult tryAcquire(String domainId, long offset);

    /**
     * Ends the leased offset as processed. The domain has no lease afterwards: the caller must ask for the next offset.
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
     * Reports that an attempt at the leased offset failed. The lease stays, with its token, while retries are left;
     * after the last one the offset ends as failed.
     *
     * @throws LeaseNotFoundException when the domain has no lease
     * @throws TokenMismatchException when the token is not the lease's
     */
    FailResult fail(String domainId, String token);

    /**
     * Like {@link #fail(String, String)}, with what is known of the failure. A permanent one is not retried: the offset
     * ends as failed.
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
     * What is known of a domain at one instant; empty when nothing was ever acquired or forgotten there. Shows at most
     * the first {@value DomainSnapshot#MOST_BACKLOG} offsets of the backlog.
     */
    Optional<DomainSnapshot> inspect(String domainId);

    /**
     * The failed offsets of a domain that were not replayed, sorted by offset.
     *
     * @param limit at most this many
     * @throws IllegalArgumentException when {@code limit} is not positive
     * @throws UnsupportedOperationException when the lease does not keep it
     */
    default List<FailedWork> failedWork(String domainId, int limit) {
        throw new UnsupportedOperationException("failedWork: not supported by this lease");
    }

    /**
     * The offsets behind this one in the backlog, in their order; none if it is not in the backlog itself. Reads a long
     * backlog page by page.
     *
     * @param limit at most this many
     * @throws IllegalArgumentException when {@code limit} is not positive
     */
    default List<Long> backlogBehind(String domainId, long offset, int limit) {
        throw new UnsupportedOperationException("backlogBehind: not supported by this lease");
    }

    /**
     * All domains that {@link #inspect} knows, sorted by the bytes of their names in UTF-8. Read page by page: continue
     * after the last domain of a page until a page is not full. Each domain is shown as of one instant; different
     * domains may be of different instants. A domain that exists all the time is shown once.
     *
     * @param limit at most this many
     * @param afterDomain only those behind this name, known or not; empty for the first page
     * @throws IllegalArgumentException when {@code limit} is not positive
     * @throws UnsupportedOperationException when the lease does not list them
     */
    default List<DomainSummary> domains(int limit, String afterDomain) {
        throw new UnsupportedOperationException("domains: not supported by this lease");
    }

    /**
     * What {@link #domains} shows of this domain; empty when {@link #inspect} does not know it.
     *
     * @throws UnsupportedOperationException when the lease does not list domains
     */
    default Optional<DomainSummary> summary(String domainId) {
        throw new UnsupportedOperationException("summary: not supported by this lease");
    }

    /**
     * Replaces the processed offsets up to this one by a single number. From now on, each offset up to it that is
     * neither leased, queued nor failed is answered {@link AcquireResult.AlreadyProcessed}, whether it was ever seen or
     * not.
     */
    void forget(String domainId, long upToOffset);

    /**
     * {@link #forget} for all domains, in small steps. Does not change how long a domain counts as idle.
     *
     * @return how many domains there are
     * @throws UnsupportedOperationException when the lease does not support it
     */
    default long forgetAll(long upToOffset) {
        throw new UnsupportedOperationException("forgetAll: not supported by this lease");
    }

    /**
     * Forgets failed offsets older than this. They do not run again: a forgotten offset is answered {@link
     * AcquireResult.AlreadyProcessed} from then on, and cannot be replayed. Domains that are in use at this moment may
     * be skipped.
     *
     * @return how many
     * @throws IllegalArgumentException when the duration is negative
     * @throws UnsupportedOperationException when the lease does not support it
     */
    default long deleteFailed(Duration olderThan) {
        throw new UnsupportedOperationException("deleteFailed: not supported by this lease");
    }

    /**
     * Deletes the domains in which nothing is leased, queued or failed and nothing has happened for {@code idle}. Their
     * processed offsets are forgotten, so an old offset that is offered again runs again. Fences go on rising. In
     * memory the time counts from the first call that finds a domain idle: call it regularly.
     *
     * @return how many
     * @throws IllegalArgumentException when the duration is negative
     * @throws UnsupportedOperationException when the lease does not support it
     */
    default long deleteIdle(Duration idle) {
        throw new UnsupportedOperationException("deleteIdle: not supported by this lease");
    }

    /**
     * Makes a failed offset new work at the tail of the backlog, with all its retries. A caller must acquire it when
     * its turn comes.
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

    /** Settings of leases in memory. Not thread-safe. */
    interface Builder {
        /**
         * Names the lease in measures. Default: {@value WorkLease#DEFAULT_NAME}.
         *
         * @throws IllegalArgumentException if it is blank
         */
        Builder name(String name);

        /**
         * Sets the clock that dates the leases. Default: {@link Clock#systemUTC()}. Called like a {@link TokenSource}.
         */
        Builder clock(Clock clock);

        /**
         * Makes the tokens. By default they contain the fence and a hash of it under a random key for each store.
         */
        Builder tokens(TokenSource tokens);

        /**
         * How many offsets may wait in a domain: one more is refused with {@link BacklogFullException}, except offsets
         * that are replayed or given back. Default: no limit.
         *
         * @throws IllegalArgumentException when it is not positive
         */
        Builder maxBacklog(int offsets);

        /** The leases, in memory. */
        WorkLease build();
    }
}
