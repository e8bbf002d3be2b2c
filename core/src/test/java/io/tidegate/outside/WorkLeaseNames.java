package io.tidegate.outside;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.Completion;
import io.tidegate.lease.DomainSnapshot;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.LeaseNotFoundException;
import io.tidegate.lease.LeaseRecord;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.PermanentFailure;
import io.tidegate.lease.RetryAfter;
import io.tidegate.lease.SharedWorkLease;
import io.tidegate.lease.SharedWorkLease.Finish;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.TokenMismatchException;
import io.tidegate.lease.TokenSource;
import io.tidegate.lease.WorkLease;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/** A program that uses the work lease. */
abstract class WorkLeaseNames {
    List<WorkLease> make() {
        TokenSource tokens = (String domainId, long offset, long fence) -> domainId + offset + "." + fence;
        WorkLease.Builder builder =
                WorkLease.builder(3).clock(Clock.systemUTC()).tokens(tokens);
        String token = tokens.next("anna", 1L, 2L);
        return token.isEmpty() ? List.of() : List.of(WorkLease.inMemory(3), builder.build());
    }

    List<Object> work(WorkLease lease, String token) {
        AcquireResult acquired = lease.tryAcquire("anna", 7L);
        SucceedResult succeeded = lease.succeed("anna", token);
        FailResult failed = lease.fail("anna", token);
        lease.forget("anna", 6L);
        boolean replayed = lease.replay("anna", 7L);
        Optional<DomainSnapshot> seen = lease.inspect("anna");
        return List.of(fields(acquired), fields(succeeded), fields(failed), replayed, seen.map(this::copy));
    }

    private static String fields(AcquireResult result) {
        String code = result.code();
        if (result instanceof AcquireResult.Acquired acquired) {
            return code + new AcquireResult.Acquired(acquired.token(), acquired.fence());
        } else if (result instanceof AcquireResult.AlreadyAcquired acquired) {
            return code + new AcquireResult.AlreadyAcquired(acquired.token(), acquired.fence());
        } else if (result instanceof AcquireResult.HeldElsewhere held) {
            String owner = held.owner();
            long untilMillis = held.untilMillis();
            return code + owner + untilMillis;
        }
        boolean over =
                result instanceof AcquireResult.AlreadyProcessed || result instanceof AcquireResult.AlreadyFailed;
        return result instanceof AcquireResult.Enqueued || over ? code : "";
    }

    private static String fields(SucceedResult result) {
        if (result instanceof SucceedResult.NextHint next) {
            long offset = next.offset();
            return result.code() + offset;
        }
        return result instanceof SucceedResult.NoBacklog ? result.code() : "";
    }

    private static String fields(FailResult result) {
        if (result instanceof FailResult.RetryScheduled retry) {
            int retryCount = retry.retryCount();
            return result.code() + retryCount;
        } else if (result instanceof FailResult.GiveUpNextHint next) {
            long offset = next.offset();
            return result.code() + offset;
        }
        return result instanceof FailResult.GiveUpNoBacklog ? result.code() : "";
    }

    private DomainSnapshot copy(DomainSnapshot seen) {
        Optional<LeaseRecord> lease = seen.lease();
        List<Long> backlog = seen.backlog();
        return new DomainSnapshot(
                seen.domainId(), lease.map(this::copy), backlog, seen.processedCount(), seen.failedCount());
    }

    private LeaseRecord copy(LeaseRecord lease) {
        long currentOffset = lease.currentOffset();
        String token = lease.token();
        long fence = lease.fence();
        long acquiredAtMillis = lease.acquiredAtMillis();
        int retryCount = lease.retryCount();
        return new LeaseRecord(currentOffset, token, fence, acquiredAtMillis, retryCount);
    }

    List<IllegalStateException> mistakes(
            BacklogOrderingException order, TokenMismatchException token, LeaseNotFoundException none) {
        String domainId = order.domainId();
        long expected = order.expected();
        long got = order.got();
        return domainId.isEmpty() && expected == got ? List.of() : List.of(order, token, none);
    }

    long onAnEngine(SharedWorkLease lease, String token) {
        long until = lease.renew("anna", token);
        lease.release("anna", token);
        List<SharedWorkLease.BatchAnswer<Long>> renewed = lease.renewAll(List.of(new Finish("anna", token)));
        List<String> pending = lease.pending(100, "");
        return until + renewed.size() + pending.size();
    }

    CompletionStage<Completion> run(WorkLease lease, Executor executor, ScheduledExecutorService scheduler) {
        LeaseRunner runner = LeaseRunner.builder(lease, WorkLeaseNames::work, executor, scheduler)
                .sweepEvery(Duration.ofSeconds(5))
                .build();
        AcquireResult offered = runner.offer("anna", 7L);
        CompletionStage<Completion> completion = runner.completion("anna", 7L);
        runner.stop();
        return offered instanceof AcquireResult.AlreadyFailed ? completion : completion.thenApply(WorkLeaseNames::same);
    }

    private static void work(LeasedWork work) {
        if (work.isLost()) {
            throw new PermanentFailure("lost");
        }
        throw new RetryAfter(Duration.ofSeconds(1));
    }

    private static Completion same(Completion completion) {
        return switch (completion) {
            case PROCESSED -> Completion.PROCESSED;
            case PARKED -> Completion.PARKED;
            case LOST -> Completion.LOST;
        };
    }
}
