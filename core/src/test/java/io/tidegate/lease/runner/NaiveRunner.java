package io.tidegate.lease.runner;

import io.tidegate.lease.AcquireResult;
import io.tidegate.lease.AcquireResult.Acquired;
import io.tidegate.lease.AcquireResult.AlreadyAcquired;
import io.tidegate.lease.Completion;
import io.tidegate.lease.FailResult;
import io.tidegate.lease.FailResult.GiveUpNextHint;
import io.tidegate.lease.FailResult.RetryScheduled;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeaseRunnerStats;
import io.tidegate.lease.LeaseTask;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.SucceedResult;
import io.tidegate.lease.SucceedResult.NextHint;
import io.tidegate.lease.WorkLease;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * A runner as one might write it at first: it runs each offset for which it gets a token, unless it knows that the
 * offset already runs.
 */
final class NaiveRunner implements LeaseRunner {
    private final WorkLease lease;
    private final LeaseTask task;
    private final Executor executor;
    private final LeaseRunnerListener listener;
    private final Set<String> active = ConcurrentHashMap.newKeySet();

    NaiveRunner(WorkLease lease, LeaseTask task, Executor executor, LeaseRunnerListener listener) {
        this.lease = lease;
        this.task = task;
        this.executor = executor;
        this.listener = listener;
    }

    @Override
    public AcquireResult offer(String domainId, long offset) {
        AcquireResult answer = lease.tryAcquire(domainId, offset);
        if (answer instanceof Acquired acquired) {
            start(new LeasedWork(domainId, offset, acquired.token(), acquired.fence(), 0));
        } else if (answer instanceof AlreadyAcquired own) {
            start(new LeasedWork(domainId, offset, own.token(), own.fence(), 0));
        }
        return answer;
    }

    @Override
    public CompletionStage<Completion> completion(String domainId, long offset) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> revoke(String domainId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}

    private void start(LeasedWork work) {
        if (!active.contains(work.domainId())) {
            active.add(work.domainId());
            executor.execute(() -> run(work));
        }
    }

    private void run(LeasedWork work) {
        try {
            task.run(work);
        } catch (Exception error) {
            failed(work, error);
            return;
        }
        SucceedResult answer = lease.succeed(work.domainId(), work.token());
        listener.onSucceeded(work);
        active.remove(work.domainId());
        if (answer instanceof NextHint next) {
            offer(work.domainId(), next.offset());
        }
    }

    private void failed(LeasedWork work, Exception error) {
        FailResult answer = lease.fail(work.domainId(), work.token());
        active.remove(work.domainId());
        if (answer instanceof RetryScheduled) {
            offer(work.domainId(), work.offset());
            return;
        }
        listener.onParked(work, error);
        if (answer instanceof GiveUpNextHint next) {
            offer(work.domainId(), next.offset());
        }
    }

    @Override
    public boolean replay(String domainId, long offset) {
        return lease.replay(domainId, offset) && resume(domainId);
    }

    @Override
    public boolean resume(String domainId) {
        lease.inspect(domainId).ifPresent(domain -> {
            if (domain.lease().isPresent()) {
                offer(domainId, domain.lease().get().currentOffset());
            } else if (!domain.backlog().isEmpty()) {
                offer(domainId, domain.backlog().get(0));
            }
        });
        return true;
    }

    @Override
    public CompletionStage<Void> stop() {
        return CompletableFuture.completedStage(null);
    }

    @Override
    public LeaseRunnerStats stats() {
        return new LeaseRunnerStats(active.size(), 0, 0, 0, 0, 0, 0);
    }
}
