package io.tidegate.processes;

import io.tidegate.Backoff;
import io.tidegate.lease.BacklogOrderingException;
import io.tidegate.lease.Completion;
import io.tidegate.lease.LeaseRunner;
import io.tidegate.lease.LeaseRunnerListener;
import io.tidegate.lease.LeasedWork;
import io.tidegate.lease.PermanentFailure;
import io.tidegate.lease.RetryAfter;
import io.tidegate.testkit.LeaseHistory;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Follows one order by a {@link LeaseRunner}, as a service does: offers what comes to it, and leaves all else to the
 * runner.
 */
final class RunnerWorker {
    /** How a process ends that was told to, so that another one can take its place. */
    static final int DEPLOYED_EXIT = 98;

    private static final int THREADS = 2;
    private static final Duration SWEEP_EVERY = Duration.ofMillis(200);
    private static final Backoff BACKOFF = Backoff.exponential(Duration.ofMillis(10), Duration.ofMillis(100));
    private static final int IDLE_MILLIS = 10;
    private static final int LONGEST_WORK_MILLIS = 15;
    private static final int LONGEST_PAUSE_MILLIS = 400;

    private final Order order;
    private final LeaseRunner runner;
    private final AttemptLog.Writer log;
    private final Map<String, Load.Item> items = new HashMap<>();
    private final List<Load.Item> toOffer = new ArrayList<>();
    private final List<CompletionStage<Completion>> awaited = new ArrayList<>();

    private RunnerWorker(
            Order order,
            Client client,
            LeaseHistory history,
            AttemptLog.Writer log,
            ScheduledExecutorService pool,
            ScheduledExecutorService timer) {
        this.order = order;
        this.log = log;
        int slot = WorkerProcess.slot(order.owner());
        for (Load.Item item : Load.of(order.seed()).items()) {
            items.put(name(item.domainId(), item.offset()), item);
            if (isOfferedBy(item, slot)) {
                toOffer.add(item);
            }
        }
        this.runner = LeaseRunner.builder(
                        history.recording(new ClientLease(order, client)), this::work, late(order, pool), timer)
                .sweepEvery(SWEEP_EVERY)
                .backoff(BACKOFF)
                .listener(new LeaseRunnerListener() {
                    @Override
                    public void onError(String domainId, Throwable error) {
                        if (!isAway(order, error)) {
                            crash(error);
                        }
                    }

                    @Override
                    public void onLetGo(String domainId, Throwable refusal) {
                        crash(refusal);
                    }
                })
                .build();
    }

    static void follow(Order order, Worker.Start start) throws IOException, InterruptedException {
        boolean deployed;
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(THREADS);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (Client client = Worker.connect(order);
                OutputStream file = new FileOutputStream(order.history().toFile());
                AttemptLog.Writer log = new AttemptLog.Writer(order.attempts())) {
            LeaseHistory history = new LeaseHistory(order.owner(), System::nanoTime, line -> Worker.append(file, line));
            long startNanos = start.await();
            deployed = new RunnerWorker(order, client, history, log, pool, timer).run(startNanos);
        } finally {
            pool.shutdownNow();
            timer.shutdownNow();
        }
        if (deployed) {
            Runtime.getRuntime().halt(DEPLOYED_EXIT);
        }
    }

    /**
     * A third is offered by all. The rest comes to one of them alone, first to the one, then to the next: others find
     * it by a sweep.
     */
    static boolean isOfferedBy(Load.Item item, int slot) {
        int turn = item.arrivalMillis() * Lane.SLOTS / Load.ARRIVALS_MILLIS;
        return item.arrivalMillis() % 3 == 0 || turn == slot;
    }

    private static String name(String domainId, long offset) {
        return domainId + "/" + offset;
    }

    /** Two threads, to which things come late, some by more than a lease lasts. */
    private static Executor late(Order order, ScheduledExecutorService pool) {
        return task -> {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            long millis = switch (random.nextInt(16)) {
                case 0 -> order.leaseMillis() + random.nextLong(order.leaseMillis());
                case 1, 2, 3, 4, 5, 6 -> random.nextLong(30);
                default -> 0;
            };
            pool.schedule(task, millis, TimeUnit.MILLISECONDS);
        };
    }

    /** Renewals that hang are told, too. */
    private static boolean isAway(Order order, Throwable error) {
        return error instanceof RuntimeException thrown
                && (order.engine().isAway(thrown)
                        || String.valueOf(thrown.getMessage()).startsWith("renewals: "));
    }

    /** What is not to be expected is told by how the process ends. */
    private static void crash(Throwable error) {
        error.printStackTrace();
        Runtime.getRuntime().halt(1);
    }

    /** Whether it was told to stop before the end. */
    private boolean run(long startNanos) throws InterruptedException {
        try (runner) {
            while (!(toOffer.isEmpty() && order.mayEnd() && areOver())) {
                if (order.isToStop()) {
                    return true;
                }
                long elapsed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
                toOffer.removeIf(item -> item.arrivalMillis() <= elapsed && isOffered(item));
                TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
            }
        }
        return false;
    }

    private boolean areOver() {
        return awaited.stream().allMatch(end -> end.toCompletableFuture().isDone());
    }

    /** Half of them are only offered: nobody here asks for them any more, if the runner does not. */
    private boolean isOffered(Load.Item item) {
        try {
            if (item.arrivalMillis() % 2 == 0) {
                runner.offer(item.domainId(), item.offset());
            } else {
                awaited.add(runner.completion(item.domainId(), item.offset()).thenApply(end -> log.noteEnd(item, end)));
            }
            return true;
        } catch (BacklogOrderingException overtaken) {
            return false;
        } catch (RuntimeException thrown) {
            if (!order.engine().isAway(thrown)) {
                throw thrown;
            }
            return false;
        }
    }

    private void work(LeasedWork work) throws IOException, InterruptedException {
        log.begin(work);
        try (FencedResource.Writer resource = new FencedResource.Writer(order.resourcePort(), order.owner())) {
            attempt(work, items.get(name(work.domainId(), work.offset())).course(), resource);
        } finally {
            log.end(work);
        }
    }

    private void attempt(LeasedWork work, Load.Course course, FencedResource.Writer resource)
            throws IOException, InterruptedException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        write(work, resource, false);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_WORK_MILLIS));
        switch (course) {
            case DEADLY -> Runtime.getRuntime().halt(Worker.DEADLY_EXIT);
            case SLOW -> TimeUnit.MILLISECONDS.sleep(order.leaseMillis() * 5 / 3);
            case HOPELESS ->
                throw random.nextInt(3) == 0 ? new PermanentFailure("hopeless") : new IllegalStateException("hopeless");
            case FLAKY -> {
                if (work.retryCount() == 0) {
                    throw random.nextBoolean()
                            ? new RetryAfter(Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS)))
                            : new IllegalStateException("flaky");
                }
            }
            case QUICK -> {}
        }
        write(work, resource, true);
    }

    /** A worker that the resource has refused knows that its lease is lost. Some report a success nevertheless. */
    private static void write(LeasedWork work, FencedResource.Writer resource, boolean last) throws IOException {
        if (!resource.write(work.domainId(), work.offset(), work.fence(), last)
                && ThreadLocalRandom.current().nextBoolean()) {
            throw new IllegalStateException("refused by the resource");
        }
    }
}
