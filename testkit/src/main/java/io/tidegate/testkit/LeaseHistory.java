package io.tidegate.testkit;

import static java.util.Objects.requireNonNull;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.DomainSummary;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailedWork;
import io.tidegate.lease.Failure;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TakeNextResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.WorkLease;
import io.tidegate.testkit.LeaseOperation.Answer;
import io.tidegate.testkit.LeaseOperation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of leases and their answers, recorded by any number of threads, and their check: whether some order of the
 * operations, each between its call and its return, explains all answers.
 *
 * <p>The text has a line for each call and for each return. Texts of several processes can be read together, in any
 * order, if their numbers come from one rising source, such as the monotonic clock of a machine. An operation that
 * threw anything but the lease's own exceptions, or whose process died, has no return: it may have been applied at any
 * time after its call, or never.
 *
 * <p>The check needs tokens that are used once, as the default ones are. Operations that overlap nothing are replayed,
 * so that each answer must be the one that the rules demand. Where operations overlap, or an answer was lost, all
 * orders are tried that can make a difference. If there are too many orders, the check throws an exception; it neither
 * accepts such a history nor calls it broken.
 */
public final class LeaseHistory {
    /** Marks an operation as answered, when other operations record its answer. */
    private static final Answer TOLD = Answer.of("TOLD");

    private final String process;
    private final LongSupplier sequence;
    private final @Nullable Consumer<? super String> sink;
    private final AtomicLong calls = new AtomicLong();
    private final Queue<LeaseOperation> operations = new ConcurrentLinkedQueue<>();

    /** Makes an empty history of this process alone. */
    public LeaseHistory() {
        this.process = "local";
        this.sequence = new AtomicLong()::getAndIncrement;
        this.sink = null;
    }

    /**
     * Makes an empty history of one of several processes.
     *
     * @param process a name that no other process has
     * @param sequence numbers that never fall, in any process
     * @param sink gets each line: that of a call before the operation begins, that of a return after it ended
     */
    public LeaseHistory(String process, LongSupplier sequence, Consumer<? super String> sink) {
        this.process = requireNonNull(process, "process");
        this.sequence = requireNonNull(sequence, "sequence");
        this.sink = requireNonNull(sink, "sink");
    }

    /** Returns the same leases, with all their calls recorded here. */
    public WorkLease recording(WorkLease lease) {
        return new Recording(requireNonNull(lease, "lease"));
    }

    /**
     * Like {@link #recording(WorkLease)}, for leases of an engine. Each part of a batch is recorded as one operation
     * that lasts as long as the whole batch.
     */
    public SharedWorkLease recording(SharedWorkLease lease) {
        return new SharedRecording(requireNonNull(lease, "lease"));
    }

    /**
     * Checks whether these leases kept their promises: empty, or the operation that cannot be explained, with its
     * story.
     *
     * @throws IllegalStateException if there are more orders than can be tried, and none of those tried explains the
     *     history
     */
    public Optional<LeaseBreach> check(LeaseRules rules) {
        Map<String, List<LeaseOperation>> domains = new HashMap<>();
        for (LeaseOperation operation : operations) {
            domains.computeIfAbsent(operation.domainId, name -> new ArrayList<>())
                    .add(operation);
        }
        for (List<LeaseOperation> domain : domains.values()) {
            domain.sort(Comparator.comparingLong(operation -> operation.called));
            Optional<LeaseBreach> breach = LeaseDomainCheck.check(domain, rules);
            if (breach.isPresent()) {
                return breach.map(
                        found -> found.story().isEmpty() ? new LeaseHistoryShrinker(rules, found).of(domain) : found);
            }
        }
        return Optional.empty();
    }

    /** Returns the history as text, a line for each call and each return, in their order. */
    public List<String> lines() {
        record Step(long time, int rank, String line) {}
        List<Step> steps = new ArrayList<>();
        for (LeaseOperation operation : operations) {
            steps.add(new Step(operation.called, 0, operation.callLine()));
            if (!operation.isUnknown()) {
                steps.add(new Step(operation.returned(), 1, operation.returnLine()));
            }
        }
        steps.sort(Comparator.comparingLong(Step::time).thenComparingInt(Step::rank));
        return steps.stream().map(Step::line).toList();
    }

    /**
     * Reads the text of one or several histories.
     *
     * @throws IllegalArgumentException if a line is not a step, with its number, or answers a call that is not there
     */
    public static LeaseHistory read(Iterable<String> lines) {
        LeaseHistory history = new LeaseHistory();
        Map<List<String>, LeaseOperation> calls = new HashMap<>();
        List<List<String>> returns = new ArrayList<>();
        int number = 0;
        for (String line : lines) {
            number++;
            List<String> words = List.of(line.split(" ", -1));
            try {
                if (words.get(3).equals("=")) {
                    returns.add(words);
                } else if (calls.put(words.subList(1, 3), LeaseOperation.parseCall(words)) != null) {
                    throw new IllegalArgumentException("called before");
                }
            } catch (IllegalArgumentException | IndexOutOfBoundsException unreadable) {
                throw new IllegalArgumentException(
                        "line " + number + ": '" + line + "' (expected: a call or a return)", unreadable);
            }
        }
        for (List<String> words : returns) {
            LeaseOperation operation = calls.get(words.subList(1, 3));
            if (operation == null) {
                throw new IllegalArgumentException("'" + String.join(" ", words) + "' (expected: a call before it)");
            }
            operation.end(Long.parseLong(words.get(0)), Answer.parse(words.subList(4, words.size())));
        }
        history.operations.addAll(calls.values());
        return history;
    }

    private class Recording implements WorkLease {
        private final WorkLease lease;
        private final @Nullable String owner;

        Recording(WorkLease lease) {
            this.lease = lease;
            this.owner = lease instanceof SharedWorkLease shared ? shared.owner() : null;
        }

        @Override
        public AcquireResult tryAcquire(String domainId, long offset) {
            return record(
                    Kind.TRY_ACQUIRE,
                    domainId,
                    offset,
                    null,
                    () -> lease.tryAcquire(domainId, offset),
                    LeaseHistory::of);
        }

        @Override
        public SucceedResult succeed(String domainId, String token) {
            return record(Kind.SUCCEED, domainId, 0, token, () -> lease.succeed(domainId, token), LeaseHistory::of);
        }

        /**
         * Records the success and, when it has returned, the acquisition. If the offset that the success hints at was
         * not acquired, the reason is unknown.
         */
        @Override
        public TakeNextResult succeedAndTakeNext(String domainId, String token) {
            requireNonNull(domainId, "domainId");
            LeaseOperation success = begin(Kind.SUCCEED, domainId, 0, token);
            LeaseOperation take = begin(Kind.TAKE_NEXT, domainId, 0, null);
            try {
                TakeNextResult result = lease.succeedAndTakeNext(domainId, token);
                end(success, of(result.succeeded()));
                if (result.succeeded() instanceof SucceedResult.NextHint hint) {
                    if (result.next().isEmpty()) {
                        return result;
                    }
                    LeaseOperation taken =
                            begin(take.called, Kind.TRY_ACQUIRE, domainId, hint.offset(), null, null, false);
                    end(taken, of(result.next().get()));
                }
                end(take, TOLD);
                return result;
            } catch (TokenMismatchException | LeaseNotFoundException refused) {
                end(success, refusal(refused));
                end(take, TOLD);
                throw refused;
            }
        }

        @Override
        public FailResult fail(String domainId, String token) {
            return record(Kind.FAIL, domainId, 0, token, () -> lease.fail(domainId, token), LeaseHistory::of);
        }

        @Override
        public FailResult fail(String domainId, String token, Failure failure) {
            return record(
                    Kind.FAIL,
                    domainId,
                    0,
                    token,
                    failure.number() == 0 ? null : failure.number(),
                    failure.permanent(),
                    () -> lease.fail(domainId, token, failure),
                    LeaseHistory::of);
        }

        @Override
        public Optional<DomainSnapshot> inspect(String domainId) {
            return record(
                    Kind.INSPECT,
                    domainId,
                    0,
                    null,
                    () -> lease.inspect(domainId),
                    seen -> seen.map(Answer::of).orElse(Answer.of("UNKNOWN")));
        }

        @Override
        public void forget(String domainId, long upToOffset) {
            record(
                    Kind.FORGET,
                    domainId,
                    upToOffset,
                    null,
                    () -> {
                        lease.forget(domainId, upToOffset);
                        return "FORGOTTEN";
                    },
                    code -> Answer.of(code));
        }

        @Override
        public boolean replay(String domainId, long offset) {
            return record(
                    Kind.REPLAY,
                    domainId,
                    offset,
                    null,
                    () -> lease.replay(domainId, offset),
                    replayed -> Answer.of(replayed ? "REPLAYED" : "NOT_FAILED"));
        }

        @Override
        public List<FailedWork> failedWork(String domainId, int limit) {
            return lease.failedWork(domainId, limit);
        }

        @Override
        public List<Long> backlogBehind(String domainId, long offset, int limit) {
            return lease.backlogBehind(domainId, offset, limit);
        }

        @Override
        public List<DomainSummary> domains(int limit, String afterDomain) {
            return lease.domains(limit, afterDomain);
        }

        @Override
        public Optional<DomainSummary> summary(String domainId) {
            return lease.summary(domainId);
        }

        <T> T record(
                Kind kind,
                @Nullable String domainId,
                long offset,
                @Nullable String token,
                Supplier<T> call,
                Function<T, Answer> answer) {
            return record(kind, domainId, offset, token, null, false, call, answer);
        }

        <T> T record(
                Kind kind,
                @Nullable String domainId,
                long offset,
                @Nullable String token,
                @Nullable Integer failure,
                boolean permanent,
                Supplier<T> call,
                Function<T, Answer> answer) {
            if (domainId == null) {
                return call.get(); // the call refuses the argument
            }
            LeaseOperation operation = begin(sequence.getAsLong(), kind, domainId, offset, token, failure, permanent);
            try {
                T result = call.get();
                end(operation, answer.apply(result));
                return result;
            } catch (BacklogOrderingException | TokenMismatchException | LeaseNotFoundException refused) {
                end(operation, refusal(refused));
                throw refused;
            }
        }

        LeaseOperation begin(Kind kind, String domainId, long offset, @Nullable String token) {
            return begin(sequence.getAsLong(), kind, domainId, offset, token, null, false);
        }

        LeaseOperation begin(
                long called,
                Kind kind,
                String domainId,
                long offset,
                @Nullable String token,
                @Nullable Integer failure,
                boolean permanent) {
            LeaseOperation operation = new LeaseOperation(
                    process, calls.getAndIncrement(), called, kind, domainId, offset, token, failure, permanent, owner);
            operations.add(operation);
            if (sink != null) {
                sink.accept(operation.callLine());
            }
            return operation;
        }
    }

    private final class SharedRecording extends Recording implements SharedWorkLease {
        private final SharedWorkLease lease;

        SharedRecording(SharedWorkLease lease) {
            super(lease);
            this.lease = lease;
        }

        @Override
        public String owner() {
            return lease.owner();
        }

        @Override
        public Duration leaseDuration() {
            return lease.leaseDuration();
        }

        @Override
        public long renew(String domainId, String token) {
            return record(Kind.RENEW, domainId, 0, token, () -> lease.renew(domainId, token), LeaseHistory::ofRenewal);
        }

        @Override
        public FailResult fail(String domainId, String token, int failure) {
            return record(
                    Kind.FAIL,
                    domainId,
                    0,
                    token,
                    failure,
                    false,
                    () -> lease.fail(domainId, token, failure),
                    LeaseHistory::of);
        }

        @Override
        public List<BatchAnswer<AcquireResult>> tryAcquireAll(List<Offer> offers) {
            List<LeaseOperation> begun = offers.stream()
                    .map(offer -> begin(Kind.TRY_ACQUIRE, offer.domainId(), offer.offset(), null))
                    .toList();
            return endAll(begun, lease.tryAcquireAll(offers), LeaseHistory::of);
        }

        @Override
        public List<BatchAnswer<SucceedResult>> succeedAll(List<Finish> finishes) {
            List<LeaseOperation> begun = finishes.stream()
                    .map(finish -> begin(Kind.SUCCEED, finish.domainId(), 0, finish.token()))
                    .toList();
            return endAll(begun, lease.succeedAll(finishes), LeaseHistory::of);
        }

        @Override
        public List<BatchAnswer<Long>> renewAll(List<Finish> leases) {
            List<LeaseOperation> begun = leases.stream()
                    .map(each -> begin(Kind.RENEW, each.domainId(), 0, each.token()))
                    .toList();
            return endAll(begun, lease.renewAll(leases), LeaseHistory::ofRenewal);
        }

        @Override
        public void release(String domainId, String token) {
            record(
                    Kind.RELEASE,
                    domainId,
                    0,
                    token,
                    () -> {
                        lease.release(domainId, token);
                        return "RELEASED";
                    },
                    code -> Answer.of(code));
        }

        /**
         * Which domains the call concerns is known only when it has returned. A call without a return shows nothing.
         */
        @Override
        public List<String> pending(int limit, String afterDomain) {
            long called = sequence.getAsLong();
            List<String> listed = lease.pending(limit, afterDomain);
            for (String domainId : listed) {
                end(begin(called, Kind.PENDING, domainId, 0, null, null, false), Answer.of("PENDING"));
            }
            return listed;
        }

        @Override
        public long forgetAll(long upToOffset) {
            return lease.forgetAll(upToOffset);
        }

        @Override
        public long deleteIdle(Duration idle) {
            return lease.deleteIdle(idle);
        }

        @Override
        public long deleteFailed(Duration olderThan) {
            return lease.deleteFailed(olderThan);
        }

        private <T> List<BatchAnswer<T>> endAll(
                List<LeaseOperation> begun, List<BatchAnswer<T>> answers, Function<T, Answer> answer) {
            for (int i = 0; i < begun.size(); i++) {
                BatchAnswer<T> one = answers.get(i);
                end(
                        begun.get(i),
                        one.result()
                                .map(answer)
                                .orElseGet(() -> refusal(one.refusal().orElseThrow())));
            }
            return answers;
        }
    }

    private void end(LeaseOperation operation, Answer answer) {
        operation.end(sequence.getAsLong(), answer);
        if (sink != null) {
            sink.accept(operation.returnLine());
        }
    }

    private static Answer of(AcquireResult result) {
        if (result instanceof AcquireResult.Acquired acquired) {
            return new Answer(result.code(), acquired.token(), numbers(acquired.fence(), acquired.retryCount()));
        }
        if (result instanceof AcquireResult.AlreadyAcquired already) {
            return new Answer(result.code(), already.token(), numbers(already.fence(), already.retryCount()));
        }
        if (result instanceof AcquireResult.HeldElsewhere held) {
            return new Answer(result.code(), held.owner(), List.of(held.untilMillis()));
        }
        return Answer.of(result.code());
    }

    private static List<Long> numbers(long fence, int retryCount) {
        return List.of(fence, (long) retryCount);
    }

    /** The answer is 0 for a lease whose domain was locked when it was to be prolonged. */
    private static Answer ofRenewal(long until) {
        return until == 0 ? Answer.of("NOT_RENEWED") : Answer.of("RENEWED", until);
    }

    private static Answer of(SucceedResult result) {
        return result instanceof SucceedResult.NextHint hint
                ? Answer.of(result.code(), hint.offset())
                : Answer.of(result.code());
    }

    private static Answer of(FailResult result) {
        if (result instanceof FailResult.RetryScheduled retry) {
            return Answer.of(result.code(), (long) retry.retryCount());
        }
        return result instanceof FailResult.GiveUpNextHint hint
                ? Answer.of(result.code(), hint.offset())
                : Answer.of(result.code());
    }

    private static Answer refusal(IllegalStateException refused) {
        if (refused instanceof BacklogOrderingException disorder) {
            return Answer.of("BACKLOG_ORDERING", disorder.expected());
        }
        return Answer.of(refused instanceof TokenMismatchException ? "TOKEN_MISMATCH" : "LEASE_NOT_FOUND");
    }
}
